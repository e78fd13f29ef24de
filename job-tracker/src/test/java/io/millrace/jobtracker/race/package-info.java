/** Rooms of several trackers at work on the same rows at the same time, in real threads. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.race;
