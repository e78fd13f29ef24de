package io.millrace.jobtracker.rpc;

import io.millrace.jobtracker.domain.trigger.LapsedNumberException;
import io.millrace.jobtracker.pipeline.PipelineFullException;
import io.millrace.jobtracker.store.RaceLostException;
import io.millrace.jobtracker.store.StoreException;
import java.util.concurrent.RejectedExecutionException;

/** Which failures pass: the same request may succeed later. */
final class Unavailable {
  private Unavailable() {}

  static boolean is(Throwable failure) {
    return failure instanceof StoreException
        || failure instanceof PipelineFullException
        || failure instanceof RaceLostException
        || failure instanceof LapsedNumberException
        || failure instanceof RejectedExecutionException;
  }
}
