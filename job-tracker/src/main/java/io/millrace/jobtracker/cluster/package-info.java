/**
 * This tracker in the cluster: its number and lease, the node groups that it serves, the other
 * trackers, and the workers and clients that are connected to it.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.cluster;
