package io.millrace.jobtracker.domain.job;

import io.millrace.api.OverlapPolicy;

/**
 * How many triggers of a job run and how many wait for their turn, for a job of which one may run
 * at a time. A trigger runs from its first claim, or from being called up, to its disposition.
 * Immutable.
 *
 * @param running 0 or 1, except just after an edit of a job whose triggers could overlap before
 * @param queued held triggers
 */
public record RunCounts(int running, int queued) {

  /** What happens to a trigger that is about to be claimed for the first time. */
  public enum Answer {
    RUNS,
    IS_HELD,
    IS_SKIPPED
  }

  /** Applies the job's policy to one more trigger. */
  public Answer ask(OverlapPolicy policy) {
    if (running == 0 || !policy.isExclusive()) {
      return Answer.RUNS;
    }
    return policy.kind() == OverlapPolicy.Kind.QUEUE && queued < policy.limit()
        ? Answer.IS_HELD
        : Answer.IS_SKIPPED;
  }

  /** The counts after an answer was applied to a trigger. */
  public RunCounts after(Answer answer) {
    return switch (answer) {
      case RUNS -> new RunCounts(running + 1, queued);
      case IS_HELD -> new RunCounts(running, queued + 1);
      case IS_SKIPPED -> this;
    };
  }

  /**
   * The counts after running triggers have ended; not below 0, since an edit may restart the count.
   */
  public RunCounts afterEnds(int ended) {
    return new RunCounts(Math.max(0, running - ended), queued);
  }

  /** Whether a held trigger is to be called up. */
  public boolean isFree() {
    return running == 0 && queued > 0;
  }

  /** The counts after a held trigger was called up, which runs from now on. */
  public RunCounts afterCall() {
    return new RunCounts(running + 1, queued - 1);
  }
}
