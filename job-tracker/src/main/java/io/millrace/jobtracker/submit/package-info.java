/**
 * Stores, replaces, pauses, resumes and cancels jobs, and runs them beside their schedule.
 *
 * <p>A task id has one living job at most: a submit inserts into the waiting table first, where the
 * unique key holds off every other, and only then looks whether the task id lives elsewhere.
 * Whatever changes a recurring job writes its row first, so nothing of a former version is claimed
 * or written after the commit.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.submit;
