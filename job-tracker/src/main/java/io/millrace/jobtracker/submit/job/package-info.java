/** Shared by submits and changes of jobs: the rules for a job, its lock, its triggers. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.submit.job;
