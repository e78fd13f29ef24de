package io.millrace.tasktracker;

import org.jspecify.annotations.Nullable;

/**
 * The code of a job. One instance runs many executions at the same time, up to the number of slots
 * of the worker, so it must be thread-safe.
 */
@FunctionalInterface
public interface JobRunner {

  /**
   * Runs one attempt.
   *
   * <p>Delivery is at least once: if the worker dies, or is cut off for longer than its lease, the
   * job may run again. Use {@link JobContext#executionId} as a fencing token for the side effects
   * of the job.
   *
   * <p>When the worker closes and the grace is over, it interrupts the thread. If the invocation
   * then throws {@link InterruptedException}, or an exception caused by it, the job is given back
   * to run elsewhere, and the attempt does not count. {@link JobContext#isStopRequested} describes
   * the other reasons for an interrupt.
   *
   * @return the result of the attempt; null means {@link Result#success()}
   * @throws io.millrace.api.NotRetryableException if a retry cannot fix the failure
   * @throws Throwable if the attempt failed; the job is retried while the retry policy allows it
   */
  @Nullable Result run(JobContext context) throws Throwable;
}
