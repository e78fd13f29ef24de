/** Posts alerts as JSON over HTTP, to the configured addresses only. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.alert.webhook;
