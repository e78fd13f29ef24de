package io.millrace.jobtracker.pipeline;

import io.millrace.jobtracker.domain.trigger.LapsedNumberException;
import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.store.failure.StoreBusyException;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.util.concurrent.RejectedExecutionException;

/**
 * Recognizes failures that are not caused by the item to be written, which may be written later.
 */
public final class TransientFailures {
  private TransientFailures() {}

  /** Whether the failure is temporary. */
  public static boolean isTransient(Throwable failure) {
    return isOfAll(failure)
        || failure instanceof RaceLostException
        || failure instanceof PipelineFullException
        || failure instanceof RejectedExecutionException;
  }

  /**
   * Whether the same request may succeed later: the failure is temporary, or it is one of the
   * store.
   */
  public static boolean mayBeRepeated(Throwable failure) {
    return failure instanceof StoreException || isTransient(failure);
  }

  /**
   * Whether the failure would affect every part of a batch, so that a split does not help: the
   * store cannot be reached or is busy, the outcome of a commit cannot be determined, or no ids can
   * be issued.
   */
  public static boolean isOfAll(Throwable failure) {
    return failure instanceof StoreUnavailableException
        || failure instanceof StoreBusyException
        || failure instanceof UnknownOutcomeException
        || failure instanceof LapsedNumberException;
  }
}
