/**
 * The command line. {@link io.millrace.scripts.Millrace} is the door: whatever a person gets wrong
 * leaves it as one line on the error stream and an exit code, never as a stack trace.
 */
@NullMarked
package io.millrace.scripts;

import org.jspecify.annotations.NullMarked;
