package io.millrace.torture.load;

import io.millrace.api.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.LongStream;

/**
 * The fire times of a job of the load, in a form that the oracle can evaluate independently. Times
 * are epoch milliseconds.
 *
 * @param kind the form of the schedule
 * @param start the first instant; for {@link Kind#NOW}, when the job is submitted
 * @param end the exclusive upper bound of planned instants; 0 for jobs that fire once
 * @param interval the time between two instants, or from an end to the next instant; 0 for jobs
 *     that fire once
 */
public record Timing(Kind kind, long start, long end, long interval) {

  /** The forms of a schedule. */
  public enum Kind {
    /** Once, as soon as it is accepted. */
    NOW,
    /** Once, at the start. */
    AT,
    /** At every full interval, given by a cron expression. */
    CRON,
    /** At every interval after the start. */
    REPEAT,
    /** At every interval after the start, limited by a count. */
    COUNTED_REPEAT,
    /** At the first interval after the end of the previous run. */
    RELYING,
    /** One interval after the end of the previous run. */
    FIXED_DELAY
  }

  /** Once, as soon as it is accepted. */
  static Timing now(long askedAt) {
    return new Timing(Kind.NOW, askedAt, 0, 0);
  }

  /** Returns a timing that fires once. */
  static Timing at(long start) {
    return new Timing(Kind.AT, start, 0, 0);
  }

  /**
   * Returns a timing that fires at every multiple of this number of seconds, which must divide a
   * minute, from the first at or after the start.
   */
  static Timing cron(long start, long end, int seconds) {
    long interval = 1_000L * seconds;
    return new Timing(Kind.CRON, roundedUp(start, interval), end, interval);
  }

  /** Returns a timing that fires this number of times. */
  static Timing counted(long start, long interval, int times) {
    return new Timing(Kind.COUNTED_REPEAT, start, start + interval * times, interval);
  }

  /** Returns whether the job has a definition and not only one trigger. */
  public boolean isRecurring() {
    return kind != Kind.NOW && kind != Kind.AT;
  }

  /** Returns whether only one trigger exists at a time, whose end creates the next one. */
  public boolean isChained() {
    return kind == Kind.RELYING || kind == Kind.FIXED_DELAY;
  }

  /** Returns whether this instant may be planned. */
  public boolean mayPlan(long instant) {
    boolean within = instant >= start && (instant < end || !isRecurring());
    return within
        && (kind == Kind.FIXED_DELAY
            || kind == Kind.NOW
            || (kind == Kind.AT ? instant == start : (instant - start) % interval == 0));
  }

  /** Returns the next instant of the grid; ignores the end of the schedule. */
  private long next(long instant) {
    return instant + interval;
  }

  /**
   * Returns the last millisecond at which an instant is not missed: the earlier of the threshold
   * and the millisecond before the next instant.
   */
  public long inTimeUntil(long instant, long threshold) {
    boolean hasSuccessor = isRecurring() && kind != Kind.FIXED_DELAY && next(instant) < end;
    return Math.min(instant + threshold, hasSuccessor ? next(instant) - 1 : Long.MAX_VALUE);
  }

  /** Returns the instants of the grid in [from, to), as far as the schedule extends. */
  public LongStream grid(long from, long to) {
    long first = from <= start ? start : start + roundedUp(from - start, interval);
    long until = Math.min(to, end);
    return LongStream.iterate(first, instant -> instant < until, instant -> instant + interval);
  }

  /**
   * Returns the instant that follows a run of a chained job; if it is at or after the end, no
   * instant follows.
   */
  public long afterEnd(long plannedFor, long endedAt) {
    if (kind == Kind.FIXED_DELAY) {
      return Math.max(plannedFor, endedAt) + interval;
    }
    long after = Math.max(plannedFor, endedAt);
    return after < start ? start : start + ((after - start) / interval + 1) * interval;
  }

  void schedule(Job.Builder job) {
    switch (kind) {
      case NOW -> {}
      case AT -> job.at(Instant.ofEpochMilli(start));
      case CRON -> job.cron(expression()).at(Instant.ofEpochMilli(start)).until(until());
      case REPEAT, RELYING -> job.every(every()).at(Instant.ofEpochMilli(start)).until(until());
      case COUNTED_REPEAT ->
          job.every(every()).at(Instant.ofEpochMilli(start)).times((end - start) / interval);
      case FIXED_DELAY -> job.fixedDelay(every()).at(Instant.ofEpochMilli(start)).until(until());
    }
    job.relyOnPrevCycle(kind == Kind.RELYING);
  }

  private static long roundedUp(long value, long unit) {
    return -Math.floorDiv(-value, unit) * unit;
  }

  private String expression() {
    return interval == 1_000 ? "* * * * * ?" : "0/" + interval / 1_000 + " * * * * ?";
  }

  private Duration every() {
    return Duration.ofMillis(interval);
  }

  private Instant until() {
    return Instant.ofEpochMilli(end);
  }
}
