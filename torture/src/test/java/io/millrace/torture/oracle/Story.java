package io.millrace.torture.oracle;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.torture.journal.Answer;
import io.millrace.torture.journal.Call;
import io.millrace.torture.journal.Charge;
import io.millrace.torture.journal.Checkpoint;
import io.millrace.torture.journal.Delivery;
import io.millrace.torture.journal.Reduction;
import io.millrace.torture.journal.Replay;
import io.millrace.torture.journal.Run;
import io.millrace.torture.load.Behaviour;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.load.Splitting;
import io.millrace.torture.load.Step;
import io.millrace.torture.load.Timing;
import io.millrace.torture.nemesis.Fault;
import io.millrace.torture.nemesis.Victim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a small run left behind, written by hand. All times are milliseconds. */
final class Story {
  static final Duration TRACKER_LEASE = Duration.ofSeconds(3);
  static final Duration WORKER_LEASE = Duration.ofSeconds(4);
  static final Duration MISFIRE_THRESHOLD = Duration.ofSeconds(10);

  private final Map<String, LoadJob> jobs = new HashMap<>();
  private final Map<Integer, Step> steps = new HashMap<>();
  private final List<Call> calls = new ArrayList<>();
  private final List<Delivery> deliveries = new ArrayList<>();
  private final List<Run> runs = new ArrayList<>();
  private final List<Charge> charges = new ArrayList<>();
  private final List<Checkpoint> checkpoints = new ArrayList<>();
  private final List<Reduction> reductions = new ArrayList<>();
  private final List<LedgerEntry> ledger = new ArrayList<>();
  private final List<LiveRow> live = new ArrayList<>();
  private final List<JobRow> jobRows = new ArrayList<>();
  private final List<DeadRow> dead = new ArrayList<>();
  private final List<Replay> replays = new ArrayList<>();
  private final List<Fault> faults = new ArrayList<>();

  static LoadJob oneShot(String taskId, long at) {
    return job(taskId, new Timing(Timing.Kind.AT, at, 0, 0), Behaviour.SUCCEED);
  }

  static LoadJob every(String taskId, long start, long end, long interval) {
    return job(taskId, new Timing(Timing.Kind.REPEAT, start, end, interval), Behaviour.SUCCEED);
  }

  static LoadJob chain(String taskId, long start, long end, long delay) {
    return job(taskId, new Timing(Timing.Kind.FIXED_DELAY, start, end, delay), Behaviour.SUCCEED);
  }

  static LoadJob job(String taskId, Timing timing, Behaviour behaviour) {
    return new LoadJob(
        "orders",
        taskId,
        timing,
        behaviour,
        3,
        OverlapPolicy.ALLOW,
        MisfirePolicy.all().atMost(1_000),
        100,
        Splitting.NONE,
        null,
        null);
  }

  static LoadJob with(LoadJob job, int retries, OverlapPolicy overlap, MisfirePolicy misfire) {
    return new LoadJob(
        job.nodeGroup(),
        job.taskId(),
        job.timing(),
        job.behaviour(),
        retries,
        overlap,
        misfire,
        job.priority(),
        job.splitting(),
        job.label(),
        job.stickTo());
  }

  Story submitted(LoadJob job, long at, Answer answer) {
    return called(Step.Kind.SUBMIT, job, at, answer);
  }

  /** Asked for, and answered five milliseconds later. */
  Story called(Step.Kind kind, LoadJob job, long at, Answer answer) {
    jobs.put(job.key(), job);
    int number = steps.size();
    steps.put(number, new Step(number, Duration.ofMillis(at), kind, job));
    calls.add(new Call("client-1.1.submits", number, at, at + 5, answer, ""));
    return this;
  }

  /** What had been saved was answered. */
  Story delivered(LoadJob job, long at, Answer answer) {
    deliveries.add(new Delivery(job.key(), at, answer));
    return this;
  }

  /** An execution by worker 1 that its worker reported, with the invocation that it was. */
  Story done(
      long id, LoadJob job, long plannedFor, int attempt, long from, long to, Outcome outcome) {
    LedgerStatus status =
        switch (outcome) {
          case SUCCESS -> LedgerStatus.SUCCEEDED;
          case FAILED -> LedgerStatus.FAILED;
          case LATER -> LedgerStatus.POSTPONED;
          case EXCEPTION -> LedgerStatus.RETRIED;
          default -> LedgerStatus.RETURNED;
        };
    return ran(id, job, plannedFor, attempt, 1, from, to, outcome)
        .recorded(id, job, plannedFor, attempt, 1, status, true, from, to + 2);
  }

  /** A successful first attempt that took 10 ms. */
  Story done(long id, LoadJob job, long plannedFor, long from) {
    return done(id, job, plannedFor, 1, from, from + 10, Outcome.SUCCESS);
  }

  private int shard = 1;
  private int shards = 1;

  /** Invocations from now on are told that they are this shard of so many. */
  Story asShard(int number, int count) {
    shard = number;
    shards = count;
    return this;
  }

  Story ran(
      long id,
      LoadJob job,
      long plannedFor,
      int attempt,
      int worker,
      long from,
      @Nullable Long to,
      @Nullable Outcome outcome) {
    runs.add(
        new Run(
            "worker-" + worker + ".1.runs",
            id,
            job.nodeGroup(),
            job.taskId(),
            plannedFor,
            attempt,
            plannedFor,
            shard,
            shards,
            from,
            to,
            outcome));
    return this;
  }

  Story recorded(
      long id,
      LoadJob job,
      long plannedFor,
      int attempt,
      int worker,
      LedgerStatus status,
      boolean reported,
      long claimedAt,
      long finishedAt) {
    return row(
        id, job, plannedFor, attempt, status, reported, claimedAt, finishedAt, "worker-" + worker);
  }

  private Story row(
      long id,
      LoadJob job,
      long plannedFor,
      int attempt,
      LedgerStatus status,
      boolean reported,
      Long claimedAt,
      long finishedAt,
      String worker) {
    ledger.add(
        new LedgerEntry(
            id,
            job.nodeGroup(),
            job.taskId(),
            job.timing().isRecurring() ? plannedFor : 0,
            0,
            job.taskId().hashCode(),
            job.timing().isRecurring() ? 1 : 0,
            status,
            reported,
            null,
            attempt,
            plannedFor,
            plannedFor,
            1,
            claimedAt,
            claimedAt,
            finishedAt,
            worker,
            null));
    return status == LedgerStatus.DEAD ? dead(null) : this;
  }

  /** The end of instants that never ran. */
  Story passed(
      long id,
      LoadJob job,
      LedgerStatus status,
      String cause,
      long from,
      long to,
      long instants,
      long at) {
    ledger.add(
        new LedgerEntry(
            id,
            job.nodeGroup(),
            job.taskId(),
            job.timing().isRecurring() ? from : 0,
            0,
            job.taskId().hashCode(),
            job.timing().isRecurring() ? 1 : 0,
            status,
            false,
            cause,
            0,
            from,
            to,
            instants,
            from,
            null,
            at,
            null,
            null));
    return this;
  }

  /** The same rows as of another submit of the same task id. */
  Story again(LedgerEntry row, long jobId) {
    ledger.add(
        new LedgerEntry(
            row.id() + 1,
            row.nodeGroup(),
            row.taskId(),
            row.plannedAt(),
            row.ordinal(),
            jobId,
            row.jobVersion(),
            row.status(),
            row.reported(),
            row.cause(),
            row.attempt(),
            row.plannedFor(),
            row.plannedTo(),
            row.instants(),
            row.dueAt(),
            row.claimedAt(),
            row.finishedAt(),
            row.workerId(),
            row.replayOf()));
    return this;
  }

  /** An execution by worker 1 after which its trigger is dead, with this replay or with none. */
  Story died(long id, LoadJob job, long plannedFor, long from, Long replayId) {
    return ran(id, job, plannedFor, 1, 1, from, from + 10, Outcome.EXCEPTION)
        .recorded(id, job, plannedFor, 1, 1, LedgerStatus.DEAD, true, from, from + 12)
        .dead(replayId);
  }

  /**
   * The last row is one of the replay of a dead trigger.
   *
   * @param ordinal 0 for a one-shot
   */
  Story asReplay(long replayOf, long replayId, int ordinal) {
    LedgerEntry row = ledger.remove(ledger.size() - 1);
    ledger.add(
        new LedgerEntry(
            row.id(),
            row.nodeGroup(),
            row.taskId(),
            row.plannedAt(),
            ordinal,
            row.jobVersion() > 0 ? row.jobId() : replayId,
            row.jobVersion(),
            row.status(),
            row.reported(),
            row.cause(),
            row.attempt(),
            row.plannedFor(),
            row.plannedTo(),
            row.instants(),
            row.dueAt(),
            row.claimedAt(),
            row.finishedAt(),
            row.workerId(),
            replayOf));
    return this;
  }

  /** The last row is one of a part of a batch, or of so many parts that were never released. */
  Story asPart(long batch, int number, long parts) {
    LedgerEntry row = ledger.remove(ledger.size() - 1);
    ledger.add(
        new LedgerEntry(
            row.id(),
            row.nodeGroup(),
            "#" + batch,
            0,
            number,
            batch,
            0,
            row.status(),
            row.reported(),
            row.cause(),
            row.attempt(),
            row.plannedFor(),
            row.plannedTo(),
            parts,
            row.dueAt(),
            row.claimedAt(),
            row.finishedAt(),
            row.workerId(),
            null));
    return this;
  }

  /** The last row names this cause. */
  Story causedBy(String cause) {
    LedgerEntry row = ledger.remove(ledger.size() - 1);
    ledger.add(
        new LedgerEntry(
            row.id(),
            row.nodeGroup(),
            row.taskId(),
            row.plannedAt(),
            row.ordinal(),
            row.jobId(),
            row.jobVersion(),
            row.status(),
            row.reported(),
            cause,
            row.attempt(),
            row.plannedFor(),
            row.plannedTo(),
            row.instants(),
            row.dueAt(),
            row.claimedAt(),
            row.finishedAt(),
            row.workerId(),
            row.replayOf()));
    return this;
  }

  /** The last row ended a dead trigger, with this replay or with none. */
  Story dead(Long replayId) {
    LedgerEntry row = lastRow();
    dead.removeIf(other -> other.id() == row.id());
    dead.add(
        new DeadRow(
            row.id(),
            row.jobId(),
            row.jobVersion(),
            row.plannedAt(),
            row.ordinal(),
            replayId == null ? "OPEN" : "REPLAYED",
            replayId,
            replayId == null ? null : row.jobVersion() > 0 ? row.ordinal() + 1 : 0));
    return this;
  }

  /** A tracker answered a request for a replay. */
  Story replayAnswered(long deadId, ReplayResult.Status status, Long replayId) {
    replays.add(new Replay("tracker-1.1.replays", deadId, 12_000, status, replayId));
    return this;
  }

  LedgerEntry lastRow() {
    return ledger.get(ledger.size() - 1);
  }

  Story waits(LoadJob job, long plannedFor, long dueAt) {
    long plannedAt = job.timing().isRecurring() ? plannedFor : 0;
    live.add(
        new LiveRow(
            "jt_waiting_orders",
            900,
            job.nodeGroup(),
            job.taskId(),
            job.taskId().hashCode(),
            plannedAt,
            0,
            dueAt,
            false));
    return this;
  }

  Story definition(LoadJob job, String state, int running) {
    jobRows.add(new JobRow(job.nodeGroup(), job.taskId(), 1, state, running, 0));
    return this;
  }

  /**
   * The body of the step ran in an execution and, unless it is lost, was stored. The key of the
   * step is that of the job of the first such execution.
   */
  Story charged(long executionId, long at, boolean stored) {
    charged(executionId, at, charges.isEmpty() ? "key-" + executionId : charges.get(0).key());
    if (stored) {
      charges.add(new Charge("worker-1", executionId, at + 1, null));
    }
    return this;
  }

  /** The body of the step ran in an execution, with this key. */
  Story charged(long executionId, long at, String key) {
    charges.add(new Charge("worker-1", executionId, at, key));
    return this;
  }

  /** An execution made a checkpoint, or found that of another one. */
  Story checkpoint(long executionId, long at, Long found) {
    checkpoints.add(new Checkpoint("worker-1", executionId, at, found));
    return this;
  }

  /** A reduce found this in an execution. */
  Story reduced(long executionId, int parts, int failed, long sum) {
    reductions.add(new Reduction(executionId, parts, failed, sum));
    return this;
  }

  Story fault(Fault.Kind kind, Victim.Part part, int number, long from, long to) {
    faults.add(new Fault(kind, new Victim(part, number), from, to));
    return this;
  }

  Verdict judged() {
    Tables tables = new Tables(ledger, live, jobRows, dead);
    Records records =
        new Records(
            jobs,
            steps,
            calls,
            deliveries,
            runs,
            charges,
            checkpoints,
            reductions,
            replays,
            tables,
            new Faults(faults, TRACKER_LEASE, WORKER_LEASE));
    return Oracle.check(records, new Findings(), MISFIRE_THRESHOLD, 2);
  }
}
