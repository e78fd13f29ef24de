package io.millrace.tasktracker;

import org.jspecify.annotations.Nullable;

/**
 * The body of a job. One instance runs many executions at once, as many as the worker has slots, so
 * it must be thread-safe.
 */
@FunctionalInterface
public interface JobRunner {

  /**
   * Runs one attempt.
   *
   * <p>Delivery is at least once: an attempt whose worker died, or was cut off for longer than its
   * lease, is run again. {@link JobContext#executionId} is a fencing token for the job's own side
   * effects.
   *
   * <p>The thread is interrupted when the worker closes and the grace is over. A body that then
   * throws {@link InterruptedException}, or anything caused by it, goes back to be run elsewhere
   * and the attempt does not count.
   *
   * @return how it ended; null means {@link Result#success()}
   * @throws Throwable when the attempt failed; another follows while the retry policy allows one
   */
  @Nullable Result run(JobContext context) throws Throwable;
}
