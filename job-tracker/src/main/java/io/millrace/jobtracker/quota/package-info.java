/**
 * Bounds the space in the database that peers may fill. The sizes come from the database, so they
 * survive restarts and are the same for every tracker; the bytes stored since the last reading are
 * added in memory.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.quota;
