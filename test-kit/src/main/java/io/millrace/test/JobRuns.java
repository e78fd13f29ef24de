package io.millrace.test;

import io.millrace.api.Disposition;
import io.millrace.api.Outcome;
import io.millrace.api.ValueException;
import io.millrace.api.ValueMapper;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one job has done up to now, and assertions on it. A run is one planned instant of the job,
 * with all its attempts. Each assertion returns this object, or throws an {@link AssertionError}
 * with the timeline of the job and what the tracker says about it.
 *
 * <pre>{@code
 * millrace.runs("orders", "close:42").hasRun(1).hasRetried(2).hasSucceeded(1);
 * }</pre>
 *
 * <p>An object shows the runs as they were when it was made: ask again after time has passed.
 * Immutable.
 */
public final class JobRuns {
  private final String job;
  private final List<JobRun> runs;
  private final Supplier<String> story;

  /**
   * @param story what has happened, for messages
   */
  JobRuns(String job, List<JobRun> runs, Supplier<String> story) {
    this.job = job;
    this.runs = List.copyOf(runs);
    this.story = story;
  }

  /** Returns the runs in the order of their planned instants, including those that never began. */
  public List<JobRun> list() {
    return runs;
  }

  /** Returns the runs whose handler was called, in the order of their planned instants. */
  public List<JobRun> started() {
    return runs.stream().filter(JobRun::hasStarted).toList();
  }

  /**
   * Returns the last run whose handler was called.
   *
   * @throws AssertionError if there is none
   */
  public JobRun last() {
    List<JobRun> started = started();
    check(!started.isEmpty(), "has not run");
    return started.get(started.size() - 1);
  }

  /** Checks that the handler was called for this many planned instants. */
  public JobRuns hasRun(int times) {
    int found = started().size();
    return check(
        found == times, "expected to have run %d times, but has run %d".formatted(times, found));
  }

  /** Checks that the handler was never called. */
  public JobRuns hasNotRun() {
    return hasRun(0);
  }

  /** Checks that the handler was called for exactly these planned instants, in this order. */
  public JobRuns hasRunFor(Instant... planned) {
    List<Instant> expected = List.of(planned);
    List<Instant> found = started().stream().map(JobRun::plannedFor).toList();
    return check(
        found.equals(expected),
        "expected to have run for %s, but has run for %s".formatted(expected, found));
  }

  /** Checks that the handler was called for exactly these planned instants, in this order. */
  public JobRuns hasRunFor(ZonedDateTime... planned) {
    return hasRunFor(Arrays.stream(planned).map(ZonedDateTime::toInstant).toArray(Instant[]::new));
  }

  /** Checks how many runs succeeded. */
  public JobRuns hasSucceeded(int times) {
    return hasEnded(Disposition.SUCCEEDED, times);
  }

  /** Checks how many runs ended because the handler returned {@code Result.failed}. */
  public JobRuns hasFailed(int times) {
    return hasEnded(Disposition.FAILED, times);
  }

  /** Checks how many runs are dead: all their attempts are used up. */
  public JobRuns hasDied(int times) {
    return hasEnded(Disposition.DEAD, times);
  }

  /** Checks how many runs were cancelled. */
  public JobRuns hasBeenCancelled(int times) {
    return hasEnded(Disposition.CANCELLED, times);
  }

  /** Checks how many planned instants were skipped: missed, paused, or left out by overlap. */
  public JobRuns hasBeenSkipped(int times) {
    return hasEnded(Disposition.SKIPPED, times);
  }

  private JobRuns hasEnded(Disposition as, int times) {
    long found =
        runs.stream().filter(run -> run.disposition() == as).mapToLong(JobRun::instants).sum();
    return check(found == times, "expected %d × %s, but found %d".formatted(times, as, found));
  }

  /** Checks that the last run was split into this many parts. */
  public JobRuns hasBeenSplit(int parts) {
    int found = last().parts().size();
    return check(
        found == parts,
        "expected the last run to be split into %d parts, but found %d".formatted(parts, found));
  }

  /** Checks how many parts of the last run ended so. */
  public JobRuns hasParts(Disposition as, int times) {
    long found = last().parts().stream().filter(part -> part.disposition() == as).count();
    return check(
        found == times,
        "expected %d parts × %s of the last run, but found %d".formatted(times, as, found));
  }

  /** Checks that all parts of the last run succeeded, and that there are so many. */
  public JobRuns hasPartsSucceeded(int parts) {
    return hasBeenSplit(parts).hasParts(Disposition.SUCCEEDED, parts);
  }

  /** Checks how often the handler was called, over all runs, their parts and their retries. */
  public JobRuns hasAttempts(int times) {
    long found =
        runs.stream()
            .flatMap(run -> run.allAttempts().stream())
            .filter(attempt -> attempt.startedAt() != null)
            .count();
    return check(found == times, "expected %d attempts, but found %d".formatted(times, found));
  }

  /** Checks how many attempts were retries: their number is 2 or higher. */
  public JobRuns hasRetried(int times) {
    long found =
        runs.stream()
            .flatMap(run -> run.allAttempts().stream())
            .filter(attempt -> attempt.startedAt() != null && attempt.number() > 1)
            .count();
    return check(found == times, "expected %d retries, but found %d".formatted(times, found));
  }

  /** Checks the outcomes of all attempts of the last run, in order. */
  public JobRuns hasOutcomes(Outcome... outcomes) {
    List<Outcome> expected = List.of(outcomes);
    List<@Nullable Outcome> found = last().attempts().stream().map(JobAttempt::outcome).toList();
    return check(
        found.equals(expected),
        "expected outcomes %s of the last run, but %s".formatted(expected, found));
  }

  /** Checks that the message of the last run contains a text. */
  public JobRuns hasMessage(String part) {
    String found = last().message();
    return check(
        found != null && found.contains(part),
        "expected a message with '%s' of the last run, but it is %s".formatted(part, found));
  }

  /**
   * Checks the value that the last run returned with {@code Result.of}. It is compared as JSON of
   * {@link ValueMapper#standard}; the JSON of another mapper is in {@link JobRun#result}.
   */
  public JobRuns hasResult(Object value) {
    String expected = ValueMapper.standard().toJson(value);
    String found = last().result();
    return check(
        found != null && isSame(found, expected),
        "expected the result %s of the last run, but it is %s".formatted(expected, found));
  }

  /** Without regard to the order of fields, and to spaces. */
  private static boolean isSame(String found, String expected) {
    ValueMapper mapper = ValueMapper.standard();
    try {
      return mapper.fromJson(found, Object.class).equals(mapper.fromJson(expected, Object.class));
    } catch (ValueException ofAnotherMapper) {
      return false;
    }
  }

  /** Checks a parameter that the last run received. */
  public JobRuns hasParam(String name, String value) {
    String found = last().params().get(name);
    return check(
        Objects.equals(found, value),
        "expected parameter %s of the last run to be '%s', but it is %s"
            .formatted(name, value, found));
  }

  private JobRuns check(boolean holds, String expectation) {
    if (!holds) {
      throw new AssertionError(job + ": " + expectation + story.get());
    }
    return this;
  }

  /** Returns the timeline of the job and what the tracker says about it. */
  @Override
  public String toString() {
    return job + story.get();
  }
}
