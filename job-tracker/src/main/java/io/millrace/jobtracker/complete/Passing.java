package io.millrace.jobtracker.complete;

import io.millrace.jobtracker.domain.trigger.LapsedNumberException;
import io.millrace.jobtracker.pipeline.PipelineFullException;
import io.millrace.jobtracker.store.RaceLostException;
import io.millrace.jobtracker.store.StoreBusyException;
import io.millrace.jobtracker.store.StoreUnavailableException;
import io.millrace.jobtracker.store.UnknownOutcomeException;
import java.util.concurrent.RejectedExecutionException;

/** Which failures say nothing about the result that was to be stored. */
final class Passing {
  private Passing() {}

  static boolean is(Throwable failure) {
    return failure instanceof StoreUnavailableException
        || failure instanceof StoreBusyException
        || failure instanceof UnknownOutcomeException
        || failure instanceof LapsedNumberException
        || failure instanceof RaceLostException
        || failure instanceof PipelineFullException
        || failure instanceof RejectedExecutionException;
  }
}
