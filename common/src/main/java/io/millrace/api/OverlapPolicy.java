package io.millrace.api;

import java.util.Objects;

/**
 * What happens to a trigger of a recurring job that is due while another one of the same job runs.
 * A trigger runs from its first claim by a worker until its end is recorded, including the pauses
 * between its attempts. The policy applies across all workers and trackers. Immutable.
 *
 * @param kind what is done
 * @param limit how many triggers may wait for their turn; applies to {@link Kind#QUEUE} only
 */
public record OverlapPolicy(Kind kind, int limit) {

  /** What is done with a trigger while another one runs. */
  public enum Kind {
    /** It runs concurrently. */
    ALLOW,
    /** It ends as SKIPPED. */
    SKIP,
    /** It waits for its turn, in order; beyond the limit it ends as SKIPPED. */
    QUEUE,
    /** A value of a newer protocol. */
    UNKNOWN
  }

  /** The longest queue that a job may set. */
  public static final int MAX_LIMIT = 1_000;

  private static final int DEFAULT_LIMIT = 10;

  /** Triggers run concurrently, without a limit. */
  public static final OverlapPolicy ALLOW = new OverlapPolicy(Kind.ALLOW, 0);

  /**
   * The default of jobs with a fixed delay or with relyOnPrevCycle. Their scheduled triggers never
   * overlap; requested extra runs wait for their turn.
   */
  public static final OverlapPolicy CHAINED_DEFAULT = queue(DEFAULT_LIMIT);

  public OverlapPolicy {
    Objects.requireNonNull(kind, "kind");
  }

  /**
   * The default policy of a recurring job: one run at a time. A trigger that would overlap is
   * skipped, except where the job needs it. With {@link MisfirePolicy.Kind#ALL} as many triggers
   * wait as may run after an outage; in a chained job, requested extra runs wait.
   *
   * @param isChained whether the job has at most one scheduled trigger at a time
   * @param misfire the job's policy for missed fire times
   */
  public static OverlapPolicy defaultOf(boolean isChained, MisfirePolicy misfire) {
    if (isChained) {
      return CHAINED_DEFAULT;
    }
    return misfire.kind() == MisfirePolicy.Kind.ALL
        ? queue(Math.min(Math.max(1, misfire.cap()), MAX_LIMIT))
        : skip();
  }

  /** Triggers run concurrently. */
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
