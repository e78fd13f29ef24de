package io.millrace.jobtracker.group.preload;

import io.millrace.jobtracker.disposition.ChainedTriggers;
import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.MissedTriggers;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.outcome.TriggerState;
import io.millrace.jobtracker.domain.schedule.FireTimes;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.domain.schedule.SkippedRange;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides, by each job's misfire policy, which missed waiting triggers still run; the others move
 * from the waiting table to the ledger. Decides on a job as a whole, from the table and not from
 * memory, under the lock of the job's row. A job whose fire times have not all been generated is
 * left for later, because the generator may still add the latest of them. Thread-safe.
 */
public final class MisfireSweep {
  static final int JOBS_PER_TRANSACTION = 50;
  static final int ROWS_PER_TRANSACTION = 2_000;

  private static final Logger LOG = LoggerFactory.getLogger(MisfireSweep.class);

  private final String group;
  private final Stores stores;
  private final JobPlanner planner;
  private final CompletionRecorder recorder;
  private final ChainedTriggers chained;
  private final IdSequence ids;
  private final Signals signals;
  private final Runnable onLag;

  /**
   * @param onLag called when a job must wait for the generator
   */
  public MisfireSweep(
      String group,
      Stores stores,
      JobPlanner planner,
      IdSequence ids,
      Signals signals,
      Runnable onLag) {
    this.group = group;
    this.stores = stores;
    this.planner = planner;
    this.ids = ids;
    this.recorder = new CompletionRecorder(stores, ids);
    this.chained = new ChainedTriggers(stores, planner, ids);
    this.signals = signals;
    this.onLag = onLag;
  }

  /** The node group. */
  String group() {
    return group;
  }

  /**
   * The decisions; a later load decides on rows that are in neither collection.
   *
   * @param skipped ids of rows that are deleted
   * @param runUntil rows that may run, by id, and the last millisecond at which the decision is
   *     valid
   */
  public record Decided(Set<Long> skipped, Map<Long, Long> runUntil) {}

  /** The job of a missed row, as the row names it. */
  private record Missed(long jobId, String taskId) {}

  /** The decisions and writes of one transaction; created anew each time the transaction runs. */
  private static final class Round {
    private final List<Long> skipped = new ArrayList<>();
    private final Map<Long, Long> runUntil = new HashMap<>();
    private final List<TriggerCompletion> ends = new ArrayList<>();
    private final List<WaitingTrigger> nexts = new ArrayList<>();
    private boolean lags;
    private boolean isComplete = true;
  }

  /** Decides on every missed trigger of the jobs of these rows. */
  public Decided decide(Collection<WaitingTrigger> missed, long now) {
    List<Missed> jobs =
        missed.stream()
            .map(trigger -> new Missed(trigger.jobId(), trigger.key().taskId()))
            .distinct()
            .toList();
    List<Round> rounds = new ArrayList<>();
    for (int from = 0; from < jobs.size(); from += JOBS_PER_TRANSACTION) {
      int to = Math.min(jobs.size(), from + JOBS_PER_TRANSACTION);
      decideTogether(jobs.subList(from, to), now, rounds);
    }
    if (rounds.stream().anyMatch(round -> round.lags)) {
      onLag.run();
    }
    Decided decided = new Decided(new HashSet<>(), new HashMap<>());
    for (Round round : rounds) {
      decided.skipped().addAll(round.skipped);
      decided.runUntil().putAll(round.runUntil);
    }
    return decided;
  }

  /** If one job fails or has too many rows, each job is decided alone, so the others go on. */
  private void decideTogether(List<Missed> jobs, long now, List<Round> rounds) {
    try {
      Round round = commit(jobs, now);
      rounds.add(round);
      if (round.isComplete) {
        return;
      }
    } catch (StoreUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.warn(
          "preload: handling missed triggers of {} failed; its jobs are retried one by one",
          group,
          e);
    }
    jobs.forEach(job -> decideAlone(job, now, rounds));
  }

  private void decideAlone(Missed job, long now, List<Round> rounds) {
    try {
      Round round;
      do {
        round = commit(List.of(job), now);
        rounds.add(round);
      } while (!round.isComplete);
    } catch (StoreUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.error(
          "preload: missed triggers of {}/{} (job {}) are retried at the next load",
          group,
          job.taskId(),
          job.jobId(),
          e);
    }
  }

  private Round commit(List<Missed> jobs, long now) {
    Round round =
        RaceLostException.retrying(
            () ->
                stores
                    .transactions()
                    .repeating("decide on missed triggers of " + group, () -> decide(jobs, now)));
    signals.triggersStored(group, round.nexts);
    if (round.ends.stream().anyMatch(end -> end.spec().feedback())) {
      signals.feedbackStored();
    }
    return round;
  }

  private Round decide(List<Missed> jobs, long now) {
    Round round = new Round();
    List<JobDefinition> locked = lock(jobs);
    if (locked.isEmpty()) {
      return round;
    }
    if (locked.size() == 1) {
      decideOne(locked.get(0), now, round);
    } else {
      decideEach(locked, now, round);
    }
    write(round, now);
    return round;
  }

  /**
   * Locks the jobs and returns the active ones. An operation that pauses, edits or ends a job
   * handles the job's triggers itself.
   */
  private List<JobDefinition> lock(List<Missed> jobs) {
    Map<Long, JobStore.LockedJob> locked =
        stores.jobs().lock(jobs.stream().map(Missed::jobId).toList());
    return stores.jobs().findByTasks(group, jobs.stream().map(Missed::taskId).toList()).stream()
        .filter(job -> locked.containsKey(job.id()))
        .filter(job -> job.state() == JobState.ACTIVE)
        .toList();
  }

  /** With more rows than one transaction takes, decides nothing; then each job is decided alone. */
  private void decideEach(List<JobDefinition> jobs, long now, Round round) {
    List<WaitingTrigger> rows =
        stores
            .waiting()
            .findUnbegun(
                group,
                jobs.stream().map(JobDefinition::taskId).toList(),
                now + 1,
                ROWS_PER_TRANSACTION + 1);
    if (rows.size() > ROWS_PER_TRANSACTION) {
      round.isComplete = false;
      return;
    }
    Map<Long, List<WaitingTrigger>> byJob =
        rows.stream()
            .sorted(Comparator.comparingLong(WaitingTrigger::plannedFor))
            .collect(
                Collectors.groupingBy(
                    WaitingTrigger::jobId, LinkedHashMap::new, Collectors.toList()));
    for (JobDefinition job : jobs) {
      decide(job, byJob.getOrDefault(job.id(), List.of()), true, now, round);
    }
  }

  private void decideOne(JobDefinition job, long now, Round round) {
    int limit = ROWS_PER_TRANSACTION + MissedTriggers.mayRunOrBeInTime(job, limits());
    List<WaitingTrigger> rows =
        stores.waiting().findOldestUnbegun(group, job.taskId(), now + 1, limit);
    round.isComplete = rows.size() < limit;
    decide(job, rows, round.isComplete, now, round);
  }

  private void decide(
      JobDefinition job, List<WaitingTrigger> rows, boolean all, long now, Round round) {
    FireTimes times = planner.fireTimes(job, now);
    if (lags(job, times, now)) {
      round.lags = true;
      round.isComplete = true;
      return;
    }
    List<WaitingTrigger> due =
        rows.stream()
            .filter(row -> row.jobVersion() == job.version())
            .filter(WaitingTrigger::isMissable)
            .toList();
    MissedTriggers decided =
        all
            ? MissedTriggers.decide(job, times, due, limits(), now)
            : MissedTriggers.decideOldest(job, due, limits());
    round.runUntil.putAll(decided.runUntil());
    for (WaitingTrigger trigger : decided.skipped()) {
      TriggerState.WAITING.to(TriggerState.SKIPPED, trigger.key());
      ids.observe(trigger.id());
      round.skipped.add(trigger.id());
      chained.next(trigger, job.spec(), now).ifPresent(round.nexts::add);
    }
    for (SkippedRange range : decided.ranges(times)) {
      round.ends.add(TriggerCompletion.ofMissed(ids.next(now), job, range, now));
    }
  }

  /** Whether the job has missed fire times that have neither a trigger nor an end. */
  private boolean lags(JobDefinition job, FireTimes times, long now) {
    return !job.spec().chained()
        && times
            .nextAfter(Instant.ofEpochMilli(job.generatedUntil()))
            .filter(next -> next.toEpochMilli() < limits().missedBefore(times, now))
            .isPresent();
  }

  private void write(Round round, long now) {
    if (round.skipped.isEmpty()) {
      return;
    }
    if (stores.waiting().delete(group, round.skipped) != round.skipped.size()) {
      throw new RaceLostException("a missed trigger of " + group + " no longer exists");
    }
    if (!round.nexts.isEmpty()) {
      stores.waiting().insert(group, round.nexts);
    }
    boolean unused = recorder.record(round.ends, now);
  }

  private GenerationLimits limits() {
    return planner.limits();
  }
}
