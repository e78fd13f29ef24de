package io.millrace.jobtracker.group.pull;

import io.millrace.api.OverlapPolicy;
import io.millrace.jobtracker.disposition.ChainedTriggers;
import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.JobStore.LockedJob;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Ensures, in the transaction of a claim, that triggers of one job run concurrently only if the job
 * allows it. The jobs' rows decide, not any tracker's memory; so this holds across all trackers and
 * across a take-over. Thread-safe.
 */
public final class OverlapGuard {
  private final JobStore jobs;
  private final CompletionRecorder recorder;
  private final ChainedTriggers chained;
  private final IdSequence ids;

  public OverlapGuard(
      JobStore jobs, CompletionRecorder recorder, ChainedTriggers chained, IdSequence ids) {
    this.jobs = jobs;
    this.recorder = recorder;
    this.chained = chained;
    this.ids = ids;
  }

  /**
   * The candidates of one claim, and the turns of their jobs as the candidates are answered one by
   * one.
   */
  static final class Asked {
    private final List<Candidate> candidates;
    private final Set<Long> tooEarly;
    private final Map<Long, RunCounts> before;
    private final Map<Long, RunCounts> now;

    private Asked(List<Candidate> candidates, Set<Long> tooEarly, Map<Long, RunCounts> turns) {
      this.candidates = candidates;
      this.tooEarly = tooEarly;
      this.before = turns;
      this.now = new HashMap<>(turns);
    }

    /** The candidates to decide: not too early, and their jobs have not changed. */
    List<Candidate> candidates() {
      return candidates;
    }

    /** The rows of candidates that have no turn now and may have one at their due time. */
    Set<Long> tooEarly() {
      return tooEarly;
    }

    /** Returns the decision on a candidate whose row is deleted, and counts it at once. */
    RunCounts.Answer answer(Candidate candidate) {
      long jobId = candidate.trigger().jobId();
      RunCounts turns = now.get(jobId);
      if (turns == null || !candidate.needsItsTurn()) {
        return RunCounts.Answer.RUNS;
      }
      RunCounts.Answer answer = turns.ask(candidate.spec().overlapPolicy());
      now.put(jobId, turns.after(answer));
      return answer;
    }
  }

  /**
   * Writes the rows of the jobs that let one trigger run at a time, before any waiting row is
   * deleted. A trigger that is claimed ahead and would overlap another is not decided before its
   * due time: the other run may be over by then.
   */
  Asked ask(List<Candidate> candidates, long now) {
    Set<Long> exclusive =
        candidates.stream()
            .filter(Candidate::needsItsTurn)
            .map(candidate -> candidate.trigger().jobId())
            .collect(Collectors.toSet());
    if (exclusive.isEmpty()) {
      return new Asked(candidates, Set.of(), Map.of());
    }
    Map<Long, LockedJob> locked = jobs.lock(exclusive);
    Map<Long, RunCounts> turns = new HashMap<>();
    locked.values().forEach(job -> turns.put(job.id(), new RunCounts(job.running(), job.queued())));
    List<Candidate> current =
        candidates.stream()
            .filter(candidate -> !candidate.needsItsTurn() || isCurrent(candidate, locked))
            .toList();
    Set<Long> tooEarly = tooEarly(current, turns, now);
    return new Asked(
        current.stream().filter(candidate -> !tooEarly.contains(candidate.rowId())).toList(),
        tooEarly,
        turns);
  }

  private static Set<Long> tooEarly(
      List<Candidate> candidates, Map<Long, RunCounts> turns, long now) {
    Set<Long> taken = new HashSet<>();
    turns.forEach(
        (jobId, turn) -> {
          if (turn.running() > 0) {
            taken.add(jobId);
          }
        });
    return candidates.stream()
        .filter(Candidate::needsItsTurn)
        .filter(candidate -> !taken.add(candidate.trigger().jobId()))
        .filter(candidate -> candidate.trigger().dueAt() > now)
        .map(Candidate::rowId)
        .collect(Collectors.toSet());
  }

  private static boolean isCurrent(Candidate candidate, Map<Long, LockedJob> locked) {
    LockedJob job = locked.get(candidate.trigger().jobId());
    return job != null && job.state().isLive() && job.version() == candidate.trigger().jobVersion();
  }

  /** Ends a trigger that must not overlap the run under way. */
  void skip(String group, Candidate candidate, ClaimedRows move, long now) {
    WaitingTrigger trigger = candidate.trigger();
    OverlapPolicy policy = candidate.spec().overlapPolicy();
    Cause cause =
        policy.kind() == OverlapPolicy.Kind.QUEUE
            ? Cause.of(CauseCode.OVERLAP_QUEUE_FULL, policy.limit())
            : Cause.of(CauseCode.OVERLAP);
    move.isSkipped(
        TriggerCompletion.ofWaiting(
            ids.next(now), group, trigger, candidate.spec(), LedgerStatus.SKIPPED, cause, now));
    chained.next(trigger, candidate.spec(), now).ifPresent(move::waits);
  }

  /** Stores the turns, and the ends of the skipped triggers. */
  void settle(Asked asked, ClaimedRows move, long now) {
    Map<Long, RunCounts> changed = new HashMap<>(asked.now);
    changed.entrySet().removeIf(turns -> turns.getValue().equals(asked.before.get(turns.getKey())));
    if (!changed.isEmpty()) {
      jobs.setTurns(changed);
    }
    boolean unused = recorder.record(move.skipped(), now);
  }
}
