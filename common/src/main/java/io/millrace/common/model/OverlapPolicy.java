package io.millrace.common.model;

import java.util.Objects;

/**
 * What becomes of a trigger of a recurring job that is to run while another one of the same job
 * runs. A trigger runs from the moment a worker first draws it until its end is recorded, the
 * pauses between its attempts included. Holds over all workers and trackers. Immutable.
 *
 * @param kind what is done
 * @param limit how many triggers may wait for their turn; counts for {@link Kind#QUEUE} only
 */
public record OverlapPolicy(Kind kind, int limit) {

  /** What is done with a trigger while another one runs. */
  public enum Kind {
    /** It runs beside. */
    ALLOW,
    /** It ends as SKIPPED. */
    SKIP,
    /** It waits for its turn, in order; beyond the limit it ends as SKIPPED. */
    QUEUE,
    /** A value of a newer protocol. */
    UNKNOWN
  }

  /** The longest queue a job may ask for. */
  public static final int MAX_LIMIT = 1_000;

  private static final int DEFAULT_LIMIT = 10;

  /** Runs beside one another. */
  public static final OverlapPolicy ALLOW = new OverlapPolicy(Kind.ALLOW, 0);

  /**
   * What jobs with a fixed delay or with relyOnPrevCycle do unless told otherwise. Their own
   * triggers never overlap; runs that somebody asks for wait for their turn.
   */
  public static final OverlapPolicy CHAINED_DEFAULT = queue(DEFAULT_LIMIT);

  public OverlapPolicy {
    Objects.requireNonNull(kind, "kind");
  }

  /**
   * What a recurring job does that says nothing: one run at a time. What would overlap is skipped,
   * but waits for its turn where skipping it would be against what the job asks for: of a job with
   * {@link MisfirePolicy.Kind#ALL} as many as may run after an outage, of a chained one the runs
   * that are asked for beside its schedule.
   *
   * @param isChained whether the job has one trigger at a time
   * @param misfire what becomes of fire times that were missed
   */
  public static OverlapPolicy defaultOf(boolean isChained, MisfirePolicy misfire) {
    if (isChained) {
      return CHAINED_DEFAULT;
    }
    return misfire.kind() == MisfirePolicy.Kind.ALL
        ? queue(Math.min(Math.max(1, misfire.cap()), MAX_LIMIT))
        : skip();
  }

  /** Triggers run beside one another. */
  public static OverlapPolicy allow() {
    return ALLOW;
  }

  /** A trigger that would overlap is skipped. */
  public static OverlapPolicy skip() {
    return new OverlapPolicy(Kind.SKIP, 0);
  }

  /**
   * A trigger that would overlap waits for its turn.
   *
   * @param limit how many may wait, 1 to {@value #MAX_LIMIT}
   */
  public static OverlapPolicy queue(int limit) {
    return new OverlapPolicy(Kind.QUEUE, limit);
  }

  /** Whether at most one trigger of the job runs at a time. */
  public boolean isExclusive() {
    return kind == Kind.SKIP || kind == Kind.QUEUE;
  }
}
