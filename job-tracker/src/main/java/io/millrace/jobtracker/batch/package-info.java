/**
 * What is done with runs that were split, in the transactions of those who claim, end and stop
 * them.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.batch;
