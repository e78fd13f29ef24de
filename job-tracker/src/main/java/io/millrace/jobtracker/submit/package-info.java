/**
 * Stores, replaces, pauses, resumes, cancels and terminates jobs, and runs them in addition to
 * their schedule.
 *
 * <p>A task id has at most one live job. A submit first inserts into the waiting table, whose
 * unique key blocks every other submit of this task id, and only then checks whether the task id is
 * in use in other tables. Every change of a recurring job first writes the job's row, so no trigger
 * of a former version is claimed or written after the commit.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.submit;
