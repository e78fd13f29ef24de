/**
 * Writes the triggers of recurring jobs ten minutes ahead. The high-water mark moves in the
 * transaction that inserts the triggers, so generating twice, or a crash between, changes nothing.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.group.generate;
