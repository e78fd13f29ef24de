package io.millrace.jobtracker.domain.snapshot;

import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.job.DeclaredJob;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was read about a task id, in the order in which a trigger moves: waiting rows, runs, ends.
 * Every list is bounded.
 *
 * @param nodeGroup the group that was asked about
 * @param taskId the task id that was asked about
 * @param now when it was read, in epoch milliseconds
 * @param serving which tracker serves the group
 * @param dueInGroup triggers of the whole group that are due, counted up to {@link #MAX_DUE}; 0 if
 *     not counted
 * @param job the definition, if there ever was one
 * @param declared what was declared last of the job, if it was ever declared
 * @param turns how many triggers of the job run and wait for their turn, if one may run at a time
 * @param waiting the waiting rows that were planned first, {@link #MAX_WAITING} of them at most
 * @param coming the waiting rows planned for later than now, {@link #MAX_COMING} of them at most
 * @param executing the runs under way, {@link #MAX_EXECUTING} of them at most
 * @param splits those of these runs that were split into parts, {@link #MAX_SPLITS} of them at most
 * @param partsOf the batch, if the task id is that of its parts; otherwise null
 * @param ends the ledger rows of the triggers planned last, {@link #MAX_ENDS} of them at most,
 *     latest planned first
 * @param dead the dead triggers that are kept of those ends
 * @param resultBytes lengths of the results that executions of those ends returned, by their ids
 * @param kept how far the executions have come that were claimed first, as far as that is known
 * @param attempts further ledger rows, of triggers that wait for another attempt
 */
public record TaskSnapshot(
    String nodeGroup,
    String taskId,
    long now,
    Serving serving,
    long dueInGroup,
    @Nullable JobDefinition job,
    @Nullable DeclaredJob declared,
    RunCounts turns,
    List<WaitingTrigger> waiting,
    List<WaitingTrigger> coming,
    List<Execution> executing,
    List<SplitRun> splits,
    @Nullable PartsOf partsOf,
    List<LedgerEntry> ends,
    List<DeadTrigger> dead,
    Map<Long, Integer> resultBytes,
    List<KeptState> kept,
    List<LedgerEntry> attempts) {

  public static final int MAX_DUE = 10_000;
  public static final int MAX_WAITING = 100;
  public static final int MAX_COMING = 5;
  public static final int MAX_EXECUTING = 100;

  /** Runs that were split whose parts are read. */
  public static final int MAX_SPLITS = 5;

  public static final int MAX_ENDS = 50;

  public TaskSnapshot {
    waiting = List.copyOf(waiting);
    coming = List.copyOf(coming);
    executing = List.copyOf(executing);
    splits = List.copyOf(splits);
    ends = List.copyOf(ends);
    dead = List.copyOf(dead);
    resultBytes = Map.copyOf(resultBytes);
    kept = List.copyOf(kept);
    attempts = List.copyOf(attempts);
  }

  /** Whether anything is live or has left a trace. */
  public boolean isAnything() {
    return job != null
        || isAlive()
        || !ends.isEmpty()
        || (partsOf != null && partsOf.open() != null);
  }

  /** Whether anything waits or runs, or a definition is live. */
  public boolean isAlive() {
    return (job != null && job.state().isLive()) || !waiting.isEmpty() || !executing.isEmpty();
  }

  /** The definition, if it is that of a live job. */
  Optional<JobDefinition> liveJob() {
    return Optional.ofNullable(job).filter(found -> found.state().isLive());
  }

  /** Whether the snapshot is about a one-shot: a live one, or the last that ended. */
  public boolean isOfOneShot() {
    return liveJob().isEmpty()
        && (waiting.stream().anyMatch(row -> !row.isOfRecurringJob())
            || executing.stream().anyMatch(row -> !row.isOfRecurringJob())
            || ends.stream().findFirst().filter(row -> row.jobVersion() == 0).isPresent());
  }

  /** How a waiting trigger runs and ends; empty if its job has no definition any more. */
  public Optional<TriggerSpec> specOf(WaitingTrigger trigger) {
    return trigger.spec() != null
        ? Optional.of(trigger.spec())
        : Optional.ofNullable(job).map(JobDefinition::spec);
  }

  /** The dead trigger that a row of the ledger reports, if it is kept. */
  public Optional<DeadTrigger> deadOf(LedgerEntry end) {
    return dead.stream().filter(kept -> kept.id() == end.id()).findFirst();
  }

  /** What a run was split into, if it was. */
  public Optional<SplitRun> splitOf(Execution run) {
    return splits.stream().filter(split -> split.batch().id() == run.id()).findFirst();
  }

  /** A snapshot of parts of one of the runs, as if they were a job's own triggers. */
  public TaskSnapshot ofParts(
      SplitRun split, List<WaitingTrigger> someWaiting, List<Execution> someRunning) {
    return new TaskSnapshot(
        nodeGroup,
        PartKey.taskIdOf(split.batch().id()),
        now,
        serving,
        dueInGroup,
        null,
        null,
        new RunCounts(0, 0),
        someWaiting,
        List.of(),
        someRunning,
        List.of(),
        null,
        List.of(),
        List.of(),
        Map.of(),
        kept,
        attempts);
  }

  /** How far the trigger of this row has come, if that is known. */
  public Optional<KeptState> keptOf(long id) {
    return kept.stream().filter(state -> state.id() == id).findFirst();
  }

  /** How the last attempt of a trigger ended, if any is known. */
  public Optional<LedgerEntry> lastAttempt(TriggerKey key) {
    return Stream.concat(ends.stream(), attempts.stream())
        .filter(row -> row.key().equals(key))
        .max(Comparator.comparingLong(LedgerEntry::id));
  }
}
