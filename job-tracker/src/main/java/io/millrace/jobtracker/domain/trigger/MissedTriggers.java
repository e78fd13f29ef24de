package io.millrace.jobtracker.domain.trigger;

import io.millrace.common.model.MisfirePolicy;
import io.millrace.jobtracker.domain.schedule.FireTimes;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.domain.schedule.MissedFires;
import io.millrace.jobtracker.domain.schedule.SkippedRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What becomes of those triggers of a job that wait and were missed: the same that {@link
 * MissedFires} says of fire times without a trigger. Immutable.
 *
 * @param skipped those that do not run, oldest first; they are older than all that run
 * @param runUntil those that may run, by row id: the last millisecond at which this still holds.
 *     Then another one has been missed and takes the place, or the policy's window has gone by
 */
public record MissedTriggers(List<WaitingTrigger> skipped, Map<Long, Long> runUntil) {

  public MissedTriggers {
    skipped = List.copyOf(skipped);
    runUntil = Map.copyOf(runUntil);
  }

  /**
   * Decides on all missed triggers of a job.
   *
   * @param times the job's fire times
   * @param missed oldest first
   */
  public static MissedTriggers decide(
      JobDefinition job,
      FireTimes times,
      List<WaitingTrigger> missed,
      GenerationLimits limits,
      long now) {
    MisfirePolicy policy = limits.bounded(job.spec().misfirePolicy());
    Instant windowStart = MissedFires.windowStart(policy, Instant.ofEpochMilli(now));
    int first = Math.max(0, missed.size() - MissedFires.mayRun(policy));
    while (first < missed.size() && missed.get(first).plannedFor() < windowStart.toEpochMilli()) {
      first++;
    }
    List<WaitingTrigger> run = missed.subList(first, missed.size());
    List<Long> successors =
        job.spec().chained() || run.isEmpty() ? List.of() : missedNext(times, policy, limits, now);
    return new MissedTriggers(missed.subList(0, first), runUntil(run, policy, successors));
  }

  /** Decides on the oldest missed triggers of a job that has more than could be read. */
  public static MissedTriggers decideOldest(
      JobDefinition job, List<WaitingTrigger> oldest, GenerationLimits limits) {
    int mayRun = MissedFires.mayRun(limits.bounded(job.spec().misfirePolicy()));
    return new MissedTriggers(oldest.subList(0, Math.max(0, oldest.size() - mayRun)), Map.of());
  }

  /** The last milliseconds at which the coming fire times are not missed yet, as far as needed. */
  private static List<Long> missedNext(
      FireTimes times, MisfirePolicy policy, GenerationLimits limits, long now) {
    long threshold = limits.misfireThreshold().toMillis();
    long windowEnd = MissedFires.runnableUntil(policy, now);
    List<Long> next = new ArrayList<>();
    Optional<Instant> at = times.nextAfter(Instant.ofEpochMilli(limits.missedBefore(now) - 1));
    while (at.isPresent()
        && at.get().toEpochMilli() + threshold < windowEnd
        && next.size() < MissedFires.mayRun(policy)) {
      next.add(at.get().toEpochMilli() + threshold);
      at = times.nextAfter(at.get());
    }
    return next;
  }

  /** The last but {@code n} of them gives way when as many more are missed as there is room for. */
  private static Map<Long, Long> runUntil(
      List<WaitingTrigger> run, MisfirePolicy policy, List<Long> missedNext) {
    Map<Long, Long> until = new HashMap<>();
    int room = MissedFires.mayRun(policy) - run.size();
    for (int i = 0; i < run.size(); i++) {
      long inWindow = MissedFires.runnableUntil(policy, run.get(i).plannedFor());
      int successor = room + i;
      until.put(
          run.get(i).id(),
          successor < missedNext.size() ? Math.min(inWindow, missedNext.get(successor)) : inWindow);
    }
    return until;
  }

  /** The skipped ones as runs of fire times that follow one another. */
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
