/**
 * The command line. {@link io.millrace.scripts.Millrace} is the entry point: every user error
 * results in one line on the error stream and an exit code, never in a stack trace.
 */
@NullMarked
package io.millrace.scripts;

import org.jspecify.annotations.NullMarked;
