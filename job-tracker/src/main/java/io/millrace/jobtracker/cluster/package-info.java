/**
 * This tracker among the others: its number and lease, which node groups it serves, the other
 * trackers, and the workers and clients that are connected to this one.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.cluster;
