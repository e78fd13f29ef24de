/** Limits for log lines, so that peers cannot fill the log. */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.logging;
