package io.millrace.jobtracker.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.DeclareResult.Change;
import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.Schedule;
import io.millrace.api.TriggerResult;
import io.millrace.internal.model.LogLevel;
import io.millrace.internal.protocol.KeepRequest;
import io.millrace.internal.protocol.KeepStatus;
import io.millrace.internal.protocol.KeptKind;
import io.millrace.internal.protocol.LogLine;
import io.millrace.jobtracker.domain.job.DeclaredDefinition;
import io.millrace.jobtracker.domain.job.DeclaredJob;
import io.millrace.jobtracker.domain.job.DeclaredJob.Former;
import io.millrace.jobtracker.domain.job.DeclaredJob.Latest;
import io.millrace.jobtracker.domain.job.DeclaredJob.Retirement;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.Pause;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Replay;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import io.millrace.jobtracker.domain.outcome.Feedback;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Origin;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Times;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.TriggerRecord;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.result.JobResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Rows of one database for the scripts of {@code scripts/sql} to find. */
final class OperationsRows {
  static final long MINUTE = Duration.ofMinutes(1).toMillis();
  static final long HOUR = Duration.ofHours(1).toMillis();
  static final long DAY = Duration.ofDays(1).toMillis();
  static final long REPORT = 70;

  private final TestDatabase database;
  private long lastId = 1_000;

  OperationsRows(TestDatabase database) {
    this.database = database;
  }

  /** The first id a tracker could issue at this time. */
  static long idAt(long millis) {
    return IdSequence.lowestAt(millis);
  }

  long now() {
    return database.stores().time().databaseNow();
  }

  void group(String name) {
    database.stores().nodeGroups().ensure(name, 10);
  }

  void inTransaction(Consumer<Stores> writes) {
    database.stores().transactions().run("fill", () -> writes.accept(database.stores()));
  }

  void waits(String group, WaitingTrigger... triggers) {
    inTransaction(stores -> stores.waiting().insert(group, List.of(triggers)));
  }

  List<WaitingTrigger> waiting(String group, String taskId) {
    return database
        .stores()
        .transactions()
        .inTransaction("read", () -> database.stores().waiting().findByTask(group, taskId));
  }

  void executes(Execution... executions) {
    inTransaction(stores -> stores.executing().insert(List.of(executions)));
  }

  void ended(LedgerEntry... rows) {
    inTransaction(stores -> stores.ledger().append(List.of(rows)));
  }

  /** What the job of an execution returned. */
  void returned(long executionId, String json) {
    JobResult result = new JobResult(executionId, now(), json);
    inTransaction(stores -> stores.results().append(List.of(result)));
  }

  /** Lets a run of a trigger keep the value of a step, and then go on without the execution. */
  void keeps(String group, TriggerRecord run, String step) {
    long id = ++lastId;
    TriggerKey key = run.key();
    WaitingTrigger trigger = waiting(key, run.jobId(), run.jobVersion(), run.plannedFor(), 1);
    long at = now();
    KeepRequest request = new KeepRequest(id, 1, KeptKind.STEP, step, "\"done\"");
    inTransaction(
        stores -> {
          stores
              .executing()
              .insert(List.of(Execution.claim(id, group, trigger, spec(false), "w1", at)));
          assertThat(stores.kept().write("w1", request, at)).isEqualTo(KeepStatus.KEPT);
          stores.executing().delete(List.of(id));
        });
  }

  /**
   * What is kept, under the name of each row: everything but which run it is of, and since when.
   */
  List<String> kept(TriggerRecord run) {
    return database.query(
        "SELECT CONCAT(name, ' ', kind, ' ', content, ' ', bytes, ' ', execution_id > 0, ' ',"
            + " node_group, ' ', task_id, ' ', planned_for) FROM jt_kept WHERE job_id = "
            + run.jobId()
            + " AND planned_at = "
            + run.key().plannedAt()
            + " AND ordinal = "
            + run.key().ordinal()
            + " ORDER BY name");
  }

  /** Ends of triggers that died, with what is kept for a replay. */
  void died(LedgerEntry... rows) {
    for (LedgerEntry row : rows) {
      died(row, StoredParams.NONE);
    }
  }

  void died(LedgerEntry row, StoredParams params) {
    TriggerSpec spec = row.jobVersion() == 0 ? spec(false) : null;
    DeadTrigger dead =
        new DeadTrigger(
            row.id(),
            row.nodeGroup(),
            row.core(),
            100,
            row.times().finishedAt(),
            Cause.of(CauseCode.ATTEMPTS_USED_UP),
            spec,
            params,
            null,
            null,
            null);
    inTransaction(
        stores -> {
          stores.ledger().append(List.of(row));
          stores.dead().append(List.of(dead));
        });
  }

  /** As the tracker does when an operator replays or discards it. */
  boolean settles(long deadId, @Nullable Replay replay) {
    Settlement settlement = new Settlement(now(), "operator/ann", replay);
    return database
        .stores()
        .transactions()
        .inTransaction("settle", () -> database.stores().dead().settle(deadId, settlement));
  }

  /** What was done about a dead trigger: the state, who did it, and the ordinal of the replay. */
  String settlement(long deadId) throws Exception {
    return database
        .query(
            "SELECT CONCAT(state, ' ', COALESCE(settled_by, '-'), ' ', COALESCE(replay_ordinal,"
                + " -1)) FROM jt_dead WHERE id = "
                + deadId)
        .get(0);
  }

  void has(JobDefinition job) {
    inTransaction(stores -> stores.jobs().insert(job));
  }

  void logs(long executionId, int sequence, long at, String line) {
    LogLine one = new LogLine(executionId, sequence, Instant.ofEpochMilli(at), LogLevel.INFO, line);
    inTransaction(stores -> stores.jobLog().append(List.of(one)));
  }

  /** That an application declares a job of the group "orders", or did until this time. */
  void declares(String taskId, @Nullable Long retiredAt) {
    Job job = Job.builder("orders", taskId).cron("@daily").build();
    Latest latest = new Latest("shop", null, "d-1", 0, Change.ADDED, null);
    DeclaredJob row =
        new DeclaredJob(
            ++lastId,
            "orders",
            taskId,
            latest,
            DeclaredDefinition.of(job, ""),
            "s-1",
            1,
            retiredAt == null ? null : new Retirement(retiredAt, null),
            Former.NONE);
    inTransaction(stores -> stores.declared().insert(List.of(row)));
  }

  void tells(String clientGroup, String nodeGroup, String taskId, long at) {
    TriggerResult result =
        new TriggerResult(
            nodeGroup,
            taskId,
            Instant.ofEpochMilli(at),
            0,
            Disposition.SUCCEEDED,
            1,
            null,
            Instant.ofEpochMilli(at));
    Feedback feedback = new Feedback(++lastId, clientGroup, result);
    inTransaction(stores -> stores.feedback().append(List.of(feedback)));
  }

  static TriggerSpec spec(boolean chained) {
    return new TriggerSpec(
        "h", RetryPolicy.DEFAULT, chained, false, "clients", "submission-1", "client-1");
  }

  WaitingTrigger oneShot(String taskId, long dueAt) {
    long id = ++lastId;
    return waiting(TriggerKey.oneShot(taskId), id, 0, dueAt, 1);
  }

  WaitingTrigger planned(String taskId, long at) {
    return planned(taskId, at, at, 1);
  }

  /** A trigger of the third version of the job {@link #REPORT}. */
  WaitingTrigger planned(String taskId, long at, long dueAt, int attempt) {
    WaitingTrigger trigger = waiting(TriggerKey.planned(taskId, at), REPORT, 3, dueAt, attempt);
    return new WaitingTrigger(
        trigger.id(),
        new TriggerCore(trigger.key(), trigger.jobId(), trigger.jobVersion(), at, attempt),
        dueAt,
        trigger.priority(),
        at,
        null,
        StoredParams.NONE,
        false,
        null,
        null);
  }

  private WaitingTrigger waiting(TriggerKey key, long jobId, int version, long dueAt, int attempt) {
    TriggerSpec spec = version == 0 ? spec(false) : null;
    return new WaitingTrigger(
        ++lastId,
        new TriggerCore(key, jobId, version, dueAt, attempt),
        dueAt,
        100,
        dueAt,
        spec,
        StoredParams.NONE,
        false,
        null,
        null);
  }

  Execution execution(long id, WaitingTrigger trigger, String worker, long claimedAt) {
    return Execution.claim(id, "orders", trigger, spec(false), worker, claimedAt);
  }

  /** The third version of a job that fires every half minute, with a parameter. */
  static JobDefinition job(long id, String taskId, JobState state, boolean chained, long at) {
    return job(id, taskId, state, spec(chained), at);
  }

  /** The same of a job whose triggers take turns as this policy says. */
  static JobDefinition takingTurns(long id, String taskId, OverlapPolicy overlap, long at) {
    TriggerSpec spec = spec(false);
    return job(
        id,
        taskId,
        JobState.ACTIVE,
        new TriggerSpec(
            spec.handler(),
            spec.retry(),
            null,
            overlap,
            null,
            false,
            false,
            spec.clientGroup(),
            spec.submissionId(),
            spec.submittedBy(),
            null,
            null),
        at);
  }

  static JobDefinition job(long id, String taskId, JobState state, TriggerSpec spec, long at) {
    Pause pause = state == JobState.PAUSED ? new Pause("shop/client-1", at, "stocktaking") : null;
    return new JobDefinition(
        id,
        "orders",
        taskId,
        3,
        state,
        new Schedule.Repeat(Duration.ofSeconds(30), null, null),
        spec,
        new StoredParams(9, "{\"a\":\"b\"}"),
        100,
        at,
        at,
        at,
        1,
        false,
        pause);
  }

  static LedgerEntry end(long id, String taskId, LedgerStatus status, long at) {
    return end(id, TriggerKey.planned(taskId, at), REPORT, 3, status, at);
  }

  static LedgerEntry oneShotEnd(long id, String taskId, LedgerStatus status, long at) {
    return end(id, TriggerKey.oneShot(taskId), id, 0, status, at);
  }

  /** An instant that never ran. */
  static LedgerEntry skipped(long id, String taskId, Cause cause, long at, int instants) {
    return new LedgerEntry(
        id,
        "orders",
        new TriggerCore(TriggerKey.planned(taskId, at), REPORT, 3, at, 0),
        LedgerStatus.SKIPPED,
        false,
        cause,
        at + instants - 1,
        instants,
        new Times(at, at, null, null, at),
        null,
        null,
        new Origin("h", null, null, null, null));
  }

  static LedgerEntry end(
      long id, TriggerKey key, long jobId, int version, LedgerStatus status, long at) {
    @Nullable String submission = null;
    return new LedgerEntry(
        id,
        "orders",
        new TriggerCore(key, jobId, version, at, 1),
        status,
        true,
        null,
        at,
        1,
        new Times(at - 20, at - 20, at, at, at + 1_000),
        "w1",
        "broken\n\tat a line",
        new Origin("h", submission, null, null, null));
  }
}
