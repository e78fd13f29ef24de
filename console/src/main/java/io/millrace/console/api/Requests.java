package io.millrace.console.api;

import io.millrace.common.protocol.Request;
import io.millrace.common.rpc.Peer;
import java.util.concurrent.CompletionStage;

/** The rooms of the tracker, as routes ask them. */
@FunctionalInterface
public interface Requests {

  /** Asks the room that answers this request, as if a client had sent it. */
  <R> CompletionStage<R> ask(Peer operator, Request<R> request);
}
