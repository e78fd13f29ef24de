/** Who is told what goes wrong: by mail, by webhooks. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.alert;
