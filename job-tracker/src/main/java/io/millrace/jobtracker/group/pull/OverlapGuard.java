package io.millrace.jobtracker.group.pull;

import io.millrace.common.model.OverlapPolicy;
import io.millrace.jobtracker.disposition.ChainedTriggers;
import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.domain.job.RunCounts;
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
 * Sees to it that triggers of one job run beside one another only if the job allows it, in the
 * transaction of a claim. What the jobs' rows say decides, not any tracker's memory; so it holds
 * over all trackers, and across a takeover. Thread-safe.
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
   * Candidates of one claim, and how the turns of their jobs stand as they are answered one by one.
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

    /** Those whose jobs are still as they were when the triggers were written. */
    List<Candidate> candidates() {
      return candidates;
    }

    /** Rows of others, which have no turn now, and may have one at their time. */
    Set<Long> tooEarly() {
      return tooEarly;
    }

    /** What becomes of a candidate whose row is deleted; counts it at once. */
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
   * Writes the rows of the jobs that let one trigger run at a time, before any row is deleted. A
   * trigger that is claimed ahead and would run beside another is not judged before its time: the
   * other may be over by then.
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

  /** Ends a trigger that may not run beside the one that does. */
  void skip(String group, Candidate candidate, ClaimedRows move, long now) {
    WaitingTrigger trigger = candidate.trigger();
    OverlapPolicy policy = candidate.spec().overlapPolicy();
    String cause =
        policy.kind() == OverlapPolicy.Kind.QUEUE
            ? "the run before it was under way and " + policy.limit() + " waited for their turn"
            : "the run before it was under way";
    move.isSkipped(
        TriggerCompletion.ofWaiting(
            ids.next(now), group, trigger, candidate.spec(), LedgerStatus.SKIPPED, cause, now));
    chained.next(trigger, candidate.spec(), now).ifPresent(move::waits);
  }

  /** Stores how the turns stand, and the ends of what was skipped. */
  void settle(Asked asked, ClaimedRows move, long now) {
    Map<Long, RunCounts> changed = new HashMap<>(asked.now);
    changed.entrySet().removeIf(turns -> turns.getValue().equals(asked.before.get(turns.getKey())));
    if (!changed.isEmpty()) {
      jobs.setTurns(changed);
    }
    boolean unused = recorder.record(move.skipped(), now);
  }
}
