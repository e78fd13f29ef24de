/**
 * Who is here: the tracker's own number and lease, the node groups it serves, and the workers and
 * clients connected to it.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.cluster;
