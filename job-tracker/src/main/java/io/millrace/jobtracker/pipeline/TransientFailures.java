package io.millrace.jobtracker.pipeline;

import io.millrace.jobtracker.domain.trigger.LapsedNumberException;
import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.store.failure.StoreBusyException;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.util.concurrent.RejectedExecutionException;

/** Which failures say nothing about what was to be written: it may be written later. */
public final class TransientFailures {
  private TransientFailures() {}

  /** Whether the failure passes. */
  public static boolean isTransient(Throwable failure) {
    return isOfAll(failure)
        || failure instanceof RaceLostException
        || failure instanceof PipelineFullException
        || failure instanceof RejectedExecutionException;
  }

  /** Whether the same request may succeed later: it passes, or the store had trouble of its own. */
  public static boolean mayBeRepeated(Throwable failure) {
    return failure instanceof StoreException || isTransient(failure);
  }

  /**
   * Whether it would meet every part of a batch alike, so that there is no use in looking for a
   * guilty one: the store cannot be reached or is busy, the outcome of a commit cannot be found
   * out, or no ids can be issued.
   */
  public static boolean isOfAll(Throwable failure) {
    return failure instanceof StoreUnavailableException
        || failure instanceof StoreBusyException
        || failure instanceof UnknownOutcomeException
        || failure instanceof LapsedNumberException;
  }
}
