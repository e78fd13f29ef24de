/** Alert receivers and their configuration: mail and webhooks. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.alert;
