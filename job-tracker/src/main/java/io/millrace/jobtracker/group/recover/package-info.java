/**
 * Gives executions back whose worker is gone, and takes over those of an owner that is gone. The
 * lease decides, never a missing answer.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.group.recover;
