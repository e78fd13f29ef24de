/**
 * Text for people, cut to the bounds of the wire format. No method throws, even if a job's own
 * classes throw in {@code toString}.
 */
@NullMarked
package io.millrace.tasktracker.internal.text;

import org.jspecify.annotations.NullMarked;
