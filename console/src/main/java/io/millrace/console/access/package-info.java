/** Access of operators: tokens, browser sessions, and the audit of requested changes. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.access;
