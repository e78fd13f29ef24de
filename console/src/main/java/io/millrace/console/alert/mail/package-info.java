/** Sends alerts as plain-text mails over SMTP; the only package that uses the mail library. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.alert.mail;
