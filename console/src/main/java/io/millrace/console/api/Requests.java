package io.millrace.console.api;

import io.millrace.common.protocol.Request;
import io.millrace.common.rpc.Peer;
import java.util.concurrent.CompletionStage;

/** Access of routes to the rooms of the tracker. */
@FunctionalInterface
public interface Requests {

  /** Sends a request to the room that answers it, as if a client had sent it. */
  <R> CompletionStage<R> ask(Peer operator, Request<R> request);
}
