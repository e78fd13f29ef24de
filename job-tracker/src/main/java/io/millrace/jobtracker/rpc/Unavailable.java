package io.millrace.jobtracker.rpc;

import io.millrace.jobtracker.pipeline.Passing;
import io.millrace.jobtracker.store.StoreException;

/** Which failures pass: the same request may succeed later. */
final class Unavailable {
  private Unavailable() {}

  static boolean is(Throwable failure) {
    return failure instanceof StoreException || Passing.is(failure);
  }
}
