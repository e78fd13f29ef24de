/** Who may operate: tokens, sessions of browsers, and the audit of what was asked. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.access;
