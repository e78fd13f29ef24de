package io.millrace.jobtracker.domain.job;

import io.millrace.api.MisfirePolicy;
import io.millrace.jobtracker.domain.schedule.FireTimes;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.domain.schedule.MissedAt;
import io.millrace.jobtracker.domain.schedule.MissedFires;
import io.millrace.jobtracker.domain.schedule.SkippedRange;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What becomes of a job's waiting triggers that were missed: the same as {@link MissedFires}
 * decides for fire times without a trigger. Immutable.
 *
 * @param skipped those that do not run, oldest first; they are older than all that run
 * @param runUntil those that may run, by row id, with the last millisecond at which they may. After
 *     that another missed fire time replaces the trigger, or the policy's window is over
 */
public record MissedTriggers(List<WaitingTrigger> skipped, Map<Long, Long> runUntil) {

  public MissedTriggers {
    skipped = List.copyOf(skipped);
    runUntil = Map.copyOf(runUntil);
  }

  /**
   * Decides which of the due triggers of a job were missed, and which of those run.
   *
   * @param times the job's fire times
   * @param due all due triggers that can be missed, oldest first
   */
  public static MissedTriggers decide(
      JobDefinition job,
      FireTimes times,
      List<WaitingTrigger> due,
      GenerationLimits limits,
      long now) {
    MissedAt missedAt = missedAt(job, times, limits, now);
    MisfirePolicy policy = missedAt.policy();
    List<WaitingTrigger> missed =
        due.stream().filter(row -> row.plannedFor() < missedAt.before()).toList();
    int first = Math.max(0, missed.size() - MissedFires.mayRun(policy));
    long oldest = oldestThatMayRun(job, times, policy, now);
    while (first < missed.size() && missed.get(first).plannedFor() < oldest) {
      first++;
    }
    List<WaitingTrigger> run = missed.subList(first, missed.size());
    List<Long> successors =
        job.spec().chained() || run.isEmpty()
            ? List.of()
            : lastInTime(times, policy, missedAt, limits, now);
    return new MissedTriggers(missed.subList(0, first), runUntil(run, policy, successors));
  }

  /** Which fire times of a job are missed, and what becomes of them. */
  public static MissedAt missedAt(
      JobDefinition job, FireTimes times, GenerationLimits limits, long now) {
    MisfirePolicy policy = job.spec().misfirePolicy();
    return job.spec().chained()
        ? MissedAt.ofChained(times, policy, limits, now)
        : MissedAt.of(times, policy, limits, now);
  }

  /**
   * The earliest planned time of a missed trigger that may run. Older ones are outside the window;
   * or a later fire time replaces them, whose trigger may have been claimed already.
   */
  private static long oldestThatMayRun(
      JobDefinition job, FireTimes times, MisfirePolicy policy, long now) {
    Instant at = Instant.ofEpochMilli(now);
    Instant windowStart = MissedFires.windowStart(policy, at);
    return job.spec().chained() || !MissedAt.isLatest(policy)
        ? windowStart.toEpochMilli()
        : times.lastIn(windowStart.minusMillis(1), at).orElse(windowStart).toEpochMilli();
  }

  /** Decides on the oldest due triggers of a job that has more than could be read. */
  public static MissedTriggers decideOldest(
      JobDefinition job, List<WaitingTrigger> oldest, GenerationLimits limits) {
    int kept = mayRunOrBeInTime(job, limits);
    return new MissedTriggers(oldest.subList(0, Math.max(0, oldest.size() - kept)), Map.of());
  }

  /** The most due triggers of a job that are not skipped: the latest ones. */
  public static int mayRunOrBeInTime(JobDefinition job, GenerationLimits limits) {
    return 1 + MissedFires.mayRun(limits.bounded(job.spec().misfirePolicy()));
  }

  /**
   * The successors of the missed triggers: the fire times from the first one that is not missed, as
   * many as are needed. For each it returns the last millisecond before it takes a place among
   * those that run. With LATEST it takes it from its own instant on, otherwise when it is missed
   * itself.
   */
  private static List<Long> lastInTime(
      FireTimes times, MisfirePolicy policy, MissedAt missedAt, GenerationLimits limits, long now) {
    long threshold = limits.misfireThreshold().toMillis();
    long windowEnd = MissedFires.runnableUntil(policy, now);
    List<Long> last = new ArrayList<>();
    Optional<Instant> at = times.nextAfter(Instant.ofEpochMilli(missedAt.before() - 1));
    while (at.isPresent()
        && at.get().toEpochMilli() <= windowEnd
        && last.size() < MissedFires.mayRun(policy)) {
      Optional<Instant> next = times.nextAfter(at.get());
      long late = at.get().toEpochMilli() + threshold;
      last.add(
          MissedAt.isLatest(policy)
              ? at.get().toEpochMilli() - 1
              : next.map(then -> Math.min(late, then.toEpochMilli() - 1)).orElse(late));
      at = next;
    }
    return last;
  }

  /**
   * For each trigger that may run, the last millisecond at which it may. There is {@code room} for
   * that many more missed triggers; each further one displaces the oldest that remains.
   */
  private static Map<Long, Long> runUntil(
      List<WaitingTrigger> run, MisfirePolicy policy, List<Long> lastInTime) {
    Map<Long, Long> until = new HashMap<>();
    int room = MissedFires.mayRun(policy) - run.size();
    for (int i = 0; i < run.size(); i++) {
      long inWindow = MissedFires.runnableUntil(policy, run.get(i).plannedFor());
      int successor = room + i;
      until.put(
          run.get(i).id(),
          successor < lastInTime.size() ? Math.min(inWindow, lastInTime.get(successor)) : inWindow);
    }
    return until;
  }

  /** The skipped triggers as ranges of consecutive fire times. */
  public List<SkippedRange> ranges(FireTimes times) {
    List<SkippedRange> ranges = new ArrayList<>();
    for (WaitingTrigger trigger : skipped) {
      Instant at = Instant.ofEpochMilli(trigger.plannedFor());
      SkippedRange last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
      if (last != null && times.nextAfter(last.to()).filter(at::equals).isPresent()) {
        ranges.set(ranges.size() - 1, new SkippedRange(last.from(), at, last.count() + 1));
      } else {
        ranges.add(new SkippedRange(at, at, 1));
      }
    }
    return ranges;
  }
}
