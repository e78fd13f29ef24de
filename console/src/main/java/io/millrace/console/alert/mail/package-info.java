/** Sends alerts as plain mails over SMTP; the only package that knows the mail library. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.alert.mail;
