/**
 * Tells programs of jobs: the status of one, the list of those of a node group, and the ends that
 * clients await. Reads only; every tracker answers.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.status;
