package io.millrace.jobtracker.alert;

/**
 * What was counted of a node group that this tracker serves.
 *
 * @param backlog due triggers that wait; there may be more than were counted
 * @param oldestAge for how long the first of them has been due, in milliseconds
 * @param workers workers that are connected
 */
public record GroupReading(long backlog, long oldestAge, int workers) {}
