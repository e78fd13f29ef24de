package io.millrace.jobtracker.domain.trigger;

import io.millrace.api.RetryPolicy;
import org.jspecify.annotations.Nullable;

/** Triggers and executions for tests that care about a few of their parts only. */
public final class SampleTriggers {
  public static final TriggerSpec SPEC = spec(RetryPolicy.DEFAULT);

  private SampleTriggers() {}

  public static TriggerSpec spec(RetryPolicy retry) {
    return new TriggerSpec(null, retry, false, false, "clients", "submission-1", "client-1");
  }

  /** A one-shot without parameters. */
  public static WaitingTrigger oneShot(long id, int priority, long dueAt) {
    return oneShot(id, priority, dueAt, StoredParams.NONE);
  }

  public static WaitingTrigger oneShot(long id, int priority, long dueAt, StoredParams params) {
    return WaitingTrigger.oneShot(id, "task-" + id, dueAt, priority, 0, SPEC, params);
  }

  /** What the schedule of a recurring job planned for this instant. */
  public static WaitingTrigger planned(long id, int priority, long plannedAt) {
    return planned(id, priority, plannedAt, null);
  }

  /** The same, and when the next fire time of the job is due. */
  public static WaitingTrigger planned(
      long id, int priority, long plannedAt, @Nullable Long nextAt) {
    return new WaitingTrigger(
        id,
        new TriggerCore(TriggerKey.planned("task-" + id, plannedAt), id, 1, plannedAt, 1),
        plannedAt,
        priority,
        0,
        null,
        StoredParams.NONE,
        false,
        null,
        nextAt);
  }

  /** An attempt to run a one-shot. */
  public static Execution execution(long id, int attempt, RetryPolicy retry) {
    return new Execution(
        id,
        "orders",
        new TriggerCore(TriggerKey.oneShot("task-" + id), id, 0, 1_000, attempt),
        1_000,
        100,
        500,
        spec(retry),
        StoredParams.NONE,
        "worker-1",
        2_000,
        false,
        false,
        null);
  }

  /** The same attempt with its job cancelled meanwhile. */
  public static Execution stopRequested(Execution execution) {
    return stopped(execution, null);
  }

  /** The same attempt, terminated meanwhile. */
  public static Execution terminated(Execution execution) {
    return stopped(execution, "ops/alice");
  }

  private static Execution stopped(Execution execution, @Nullable String terminatedBy) {
    return new Execution(
        execution.id(),
        execution.nodeGroup(),
        execution.core(),
        execution.dueAt(),
        execution.priority(),
        execution.generatedAt(),
        execution.spec(),
        execution.params(),
        execution.workerId(),
        execution.claimedAt(),
        true,
        execution.counted(),
        terminatedBy);
  }
}
