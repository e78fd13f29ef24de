/** The configuration of alerts and of their receivers, mail and webhooks. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.alert;
