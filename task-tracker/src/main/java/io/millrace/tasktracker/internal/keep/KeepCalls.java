package io.millrace.tasktracker.internal.keep;

import io.millrace.internal.protocol.Request;
import java.util.concurrent.CompletableFuture;

/** Sends requests to the tracker that is connected. Thread-safe. */
@FunctionalInterface
public interface KeepCalls {

  /** Sends a request; the future fails if there is no answer in time, or no connection. */
  <R> CompletableFuture<R> call(Request<R> request);
}
