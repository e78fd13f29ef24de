/**
 * The interface of a tracker for operators: the HTTP API, version 1, the console's pages, access
 * control and the audit.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.console;
