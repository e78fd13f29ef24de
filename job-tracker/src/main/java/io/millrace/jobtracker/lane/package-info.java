/** The lanes of node groups, by what jobs and parts require of workers. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.lane;
