/** Routes for sessions, tokens and the audit. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.api.operator;
