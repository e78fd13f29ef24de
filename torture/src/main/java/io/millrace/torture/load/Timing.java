package io.millrace.torture.load;

import io.millrace.common.model.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.LongStream;

/**
 * When a job of the load fires, in a form that the oracle can compute with by itself. Times are
 * epoch milliseconds.
 *
 * @param kind which form of a schedule says it
 * @param start the first instant; of {@link Kind#NOW}, when it is asked for
 * @param end nothing is planned at or after it; of what fires once, 0
 * @param interval between two instants, or from an end to the next instant; of what fires once, 0
 */
public record Timing(Kind kind, long start, long end, long interval) {

  /** The forms. */
  public enum Kind {
    /** Once, as soon as it is accepted. */
    NOW,
    /** Once, at the start. */
    AT,
    /** At every full interval, said by a cron expression. */
    CRON,
    /** At every interval after the start. */
    REPEAT,
    /** At every interval after the start, a count saying how often. */
    COUNTED_REPEAT,
    /** At the first interval after the end of the run before. */
    RELYING,
    /** An interval after the end of the run before. */
    FIXED_DELAY
  }

  /** Once, as soon as it is accepted. */
  static Timing now(long askedAt) {
    return new Timing(Kind.NOW, askedAt, 0, 0);
  }

  /** Once. */
  static Timing at(long start) {
    return new Timing(Kind.AT, start, 0, 0);
  }

  /** At every so many full seconds, which divide a minute, from the first at or after the start. */
  static Timing cron(long start, long end, int seconds) {
    long interval = 1_000L * seconds;
    return new Timing(Kind.CRON, roundedUp(start, interval), end, interval);
  }

  /** So many times. */
  static Timing counted(long start, long interval, int times) {
    return new Timing(Kind.COUNTED_REPEAT, start, start + interval * times, interval);
  }

  /** Whether it has a definition, and not one trigger only. */
  public boolean isRecurring() {
    return kind != Kind.NOW && kind != Kind.AT;
  }

  /** Whether one trigger lives at a time, and the end of it writes the next one. */
  public boolean isChained() {
    return kind == Kind.RELYING || kind == Kind.FIXED_DELAY;
  }

  /** Whether an instant may be planned at all. */
  public boolean mayPlan(long instant) {
    boolean within = instant >= start && (instant < end || !isRecurring());
    return within
        && (kind == Kind.FIXED_DELAY
            || kind == Kind.NOW
            || (kind == Kind.AT ? instant == start : (instant - start) % interval == 0));
  }

  /** The instant of the grid after this one; at or after the end there is none. */
  private long next(long instant) {
    return instant + interval;
  }

  /**
   * The last millisecond at which an instant is not missed: the one before its successor is due, or
   * that of the threshold.
   */
  public long inTimeUntil(long instant, long threshold) {
    boolean hasSuccessor = isRecurring() && kind != Kind.FIXED_DELAY && next(instant) < end;
    return Math.min(instant + threshold, hasSuccessor ? next(instant) - 1 : Long.MAX_VALUE);
  }

  /** The instants of the grid in [from, to), as far as the schedule goes. */
  public LongStream grid(long from, long to) {
    long first = from <= start ? start : start + roundedUp(from - start, interval);
    long until = Math.min(to, end);
    return LongStream.iterate(first, instant -> instant < until, instant -> instant + interval);
  }

  /** Of what is chained: the instant that follows a run, at or after the end if none does. */
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
