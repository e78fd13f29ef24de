package io.millrace.jobtracker.store;

import io.millrace.api.RetryPolicy;
import io.millrace.api.Schedule;
import io.millrace.api.TraceContext;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Origin;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Times;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Rows for the tests of stores, each with an id that no other has. */
final class StoreRows {
  static final String TRACE_PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  static final TriggerSpec SPEC =
      new TriggerSpec(
          "mailer",
          new RetryPolicy(
              2, Duration.ofSeconds(3), Duration.ofMinutes(4), 1.5, 0.1, List.of("a.B", "c.D")),
          null,
          null,
          null,
          true,
          true,
          "billing",
          "submission-1",
          "client-1",
          new TraceContext(TRACE_PARENT, "vendor=1"),
          5L);

  private static final AtomicLong IDS = new AtomicLong(1_000);

  private StoreRows() {}

  static long nextId() {
    return IDS.incrementAndGet();
  }

  static StoredParams params(String json) {
    return new StoredParams(json.getBytes(StandardCharsets.UTF_8).length, json);
  }

  static WaitingTrigger oneShot(String taskId) {
    return oneShot(taskId, StoredParams.NONE);
  }

  static WaitingTrigger oneShot(String taskId, StoredParams params) {
    return waiting(TriggerKey.oneShot(taskId), 100, 5_000, params);
  }

  static WaitingTrigger due(String taskId, int priority, long dueAt) {
    return waiting(TriggerKey.oneShot(taskId), priority, dueAt, StoredParams.NONE);
  }

  static WaitingTrigger waiting(TriggerKey key, int priority, long dueAt, StoredParams params) {
    long id = nextId();
    return new WaitingTrigger(
        id,
        new TriggerCore(key, id, 0, 4_999, 1),
        dueAt,
        priority,
        4_000,
        SPEC,
        params,
        false,
        null,
        null);
  }

  /** A trigger of the first version of a recurring job. */
  static WaitingTrigger planned(long jobId, String taskId, long plannedAt) {
    return new WaitingTrigger(
        nextId(),
        new TriggerCore(TriggerKey.planned(taskId, plannedAt), jobId, 1, plannedAt, 1),
        plannedAt,
        100,
        4_000,
        null,
        StoredParams.NONE,
        false,
        null,
        null);
  }

  static Execution executing(String nodeGroup, String taskId) {
    return executing(nodeGroup, oneShot(taskId));
  }

  static Execution executing(String nodeGroup, WaitingTrigger trigger) {
    return Execution.claim(nextId(), nodeGroup, trigger, SPEC, "worker-1", 6_000);
  }

  /** An open batch of shards into which the run of this trigger was split. */
  static Batch batch(String nodeGroup, WaitingTrigger trigger, int parts) {
    return Batch.opened(executing(nodeGroup, trigger), BatchKind.SHARDS, parts);
  }

  static JobDefinition job(String nodeGroup, String taskId) {
    return job(nodeGroup, taskId, 1, JobState.ACTIVE, 7_000L, StoredParams.NONE);
  }

  static JobDefinition job(
      String nodeGroup,
      String taskId,
      int version,
      JobState state,
      Long generateAt,
      StoredParams params) {
    return new JobDefinition(
        nextId(),
        nodeGroup,
        taskId,
        version,
        state,
        new Schedule.Repeat(Duration.ofSeconds(30), null, 10L),
        SPEC,
        params,
        7,
        1_000,
        6_000,
        generateAt,
        3,
        false);
  }

  static LedgerEntry ended(String nodeGroup, String taskId, LedgerStatus status) {
    return ended(nextId(), nodeGroup, 77, taskId, 4_999, status, "submission-1", "done");
  }

  static LedgerEntry ended(
      long id,
      String nodeGroup,
      long jobId,
      String taskId,
      long plannedFor,
      LedgerStatus status,
      String submissionId,
      String message) {
    return new LedgerEntry(
        id,
        nodeGroup,
        new TriggerCore(TriggerKey.planned(taskId, plannedFor), jobId, 1, plannedFor, 2),
        status,
        true,
        Cause.of(CauseCode.TERMINATED_BY, "shop/client 1, 100%").and(Cause.of(CauseCode.PAUSED)),
        plannedFor,
        1,
        new Times(5_000, 4_000, 5_001L, 5_002L, 5_003),
        "worker-1",
        message,
        new Origin("mailer", submissionId, "client-1", TRACE_PARENT, 6L));
  }
}
