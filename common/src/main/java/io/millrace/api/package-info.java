/**
 * What applications say to a tracker and hear from it: jobs with their schedules and policies, the
 * answers to requests, and the settings that the client and the worker share.
 *
 * <p>Types are immutable unless they say otherwise. The entry points are {@code
 * io.millrace.jobclient.JobClient} and {@code io.millrace.tasktracker.TaskTracker}.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.api;
