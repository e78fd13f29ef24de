/**
 * Writes the triggers of recurring jobs ahead, ten minutes by default. The high-water mark moves in
 * the transaction that inserts the triggers, so a repeated generation, or a crash in between,
 * changes nothing.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.group.generate;
