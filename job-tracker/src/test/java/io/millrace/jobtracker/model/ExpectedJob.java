package io.millrace.jobtracker.model;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.schedule.FireTimes;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The model of one recurring job: which fire times were promised to it. They are those of each of
 * its versions from when it was accepted until it was edited, paused or cancelled; a pause counts
 * once it is over.
 */
final class ExpectedJob {
  private final Map<Integer, FireTimes> fireTimes = new HashMap<>();
  private final Map<Integer, Boolean> chained = new HashMap<>();
  private final List<Stretch> stretches = new ArrayList<>();

  /** Fire times of a version after one instant and up to another; null while there is no end. */
  private record Stretch(int version, long after, @Nullable Long until) {}

  /** From its very millisecond on a new version holds. */
  void accepted(JobDefinition job, @Nullable JobDefinition before, long now) {
    endPause(before, now - 1);
    end(now - 1);
    begin(job, now - 1);
  }

  void paused(JobDefinition job, long now) {
    remember(job);
    end(now);
  }

  void resumed(JobDefinition job, long pausedAt) {
    begin(job, pausedAt);
  }

  void cancelled(@Nullable JobDefinition before, long now) {
    endPause(before, now);
    end(now);
  }

  /** What passed during a pause is accounted for when the pause is over, however it ends. */
  private void endPause(@Nullable JobDefinition before, long until) {
    if (before != null && before.state() == JobState.PAUSED && before.pause() != null) {
      stretches.add(new Stretch(before.version(), before.pause().at(), until));
    }
  }

  private void begin(JobDefinition job, long after) {
    remember(job);
    stretches.add(new Stretch(job.version(), after, null));
  }

  private void remember(JobDefinition job) {
    Instant accepted = Instant.ofEpochMilli(job.acceptedAt());
    fireTimes.put(job.version(), FireTimes.of(job.schedule(), accepted, ZoneOffset.UTC));
    chained.put(job.version(), job.spec().chained());
  }

  private void end(long until) {
    stretches.replaceAll(
        stretch ->
            stretch.until() == null
                ? new Stretch(stretch.version(), stretch.after(), until)
                : stretch);
  }

  boolean isChained(int version) {
    return chained.getOrDefault(version, false);
  }

  /**
   * The fire times that must be accounted for, of jobs that are not chained.
   *
   * @param generatedUntil how far those of the present version have been generated
   */
  Set<Long> promised(long generatedUntil) {
    Set<Long> promised = new HashSet<>();
    for (Stretch stretch : stretches) {
      if (!isChained(stretch.version())) {
        long until = stretch.until() == null ? generatedUntil : stretch.until();
        promised.addAll(between(stretch.version(), stretch.after(), until));
      }
    }
    return promised;
  }

  /** The fire times of a version after one instant and up to another. */
  List<Long> between(int version, long after, long until) {
    List<Long> found = new ArrayList<>();
    FireTimes times = fireTimes.get(version);
    if (times == null) {
      throw new AssertionError("version " + version + " was never accepted");
    }
    Optional<Instant> next = times.nextAfter(Instant.ofEpochMilli(after));
    while (next.isPresent() && next.get().toEpochMilli() <= until) {
      found.add(next.get().toEpochMilli());
      next = times.nextAfter(next.get());
    }
    return found;
  }
}
