/**
 * Text for people, cut to what the wire carries. Nothing here throws, whatever a job's own classes
 * do in their {@code toString}.
 */
@NullMarked
package io.millrace.tasktracker.text;

import org.jspecify.annotations.NullMarked;
