/**
 * How much of the database peers may fill. Sizes are the database's own, so they survive restarts
 * and are the same at every tracker; what was stored since they were read is added in memory.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.quota;
