/** Sends alerts as JSON over HTTP, to the addresses that are configured and to no other. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.alert.webhook;
