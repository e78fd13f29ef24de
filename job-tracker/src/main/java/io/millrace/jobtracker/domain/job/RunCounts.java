package io.millrace.jobtracker.domain.job;

import io.millrace.common.model.OverlapPolicy;

/**
 * How many triggers of a job run and how many wait for their turn, of a job of which one may run at
 * a time. A trigger runs from its first claim, or from being called up, to its disposition.
 * Immutable.
 *
 * @param running 0 or 1, except just after an edit of a job that ran beside itself before
 * @param queued held triggers
 */
public record RunCounts(int running, int queued) {

  /** What becomes of a trigger that is about to be claimed for the first time. */
  public enum Answer {
    RUNS,
    IS_HELD,
    IS_SKIPPED
  }

  /** What the job's policy says to one more trigger. */
  public Answer ask(OverlapPolicy policy) {
    if (running == 0 || !policy.isExclusive()) {
      return Answer.RUNS;
    }
    return policy.kind() == OverlapPolicy.Kind.QUEUE && queued < policy.limit()
        ? Answer.IS_HELD
        : Answer.IS_SKIPPED;
  }

  /** After a trigger that asked was treated as answered. */
  public RunCounts after(Answer answer) {
    return switch (answer) {
      case RUNS -> new RunCounts(running + 1, queued);
      case IS_HELD -> new RunCounts(running, queued + 1);
      case IS_SKIPPED -> this;
    };
  }

  /** After running triggers have ended. Not below none: an edit may have begun to count anew. */
  public RunCounts afterEnds(int ended) {
    return new RunCounts(Math.max(0, running - ended), queued);
  }

  /** Whether a held trigger is to be called up. */
  public boolean isFree() {
    return running == 0 && queued > 0;
  }

  /** After a held trigger was called up: it runs from now on. */
  public RunCounts afterCall() {
    return new RunCounts(running + 1, queued - 1);
  }
}
