/** Steps, checkpoints, parts and progress of attempts: what they keep at the trackers. */
@org.jspecify.annotations.NullMarked
package io.millrace.tasktracker.internal.keep;
