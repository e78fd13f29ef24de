package io.millrace.jobtracker.rpc;

import io.millrace.common.model.NodeRole;
import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.protocol.HealthRequest;
import io.millrace.common.protocol.Request;
import io.millrace.common.rpc.RequestHandler;
import io.millrace.common.rpc.RpcException;
import io.millrace.common.rpc.Session;
import io.millrace.jobtracker.store.StoreHealth;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Refuses at once what clients ask while the store does not answer: it would only wait, and take
 * the threads and the memory of those that wait with it. The client may try again. Workers pass:
 * their pulls are beats, which need no store. So does the question how the tracker is. Thread-safe.
 */
public final class StoreGate implements RequestHandler {
  private final RequestHandler open;
  private final StoreHealth health;

  /**
   * @param open answers what passes
   */
  public StoreGate(RequestHandler open, StoreHealth health) {
    this.open = open;
    this.health = health;
  }

  @Override
  public <R> CompletionStage<R> handle(Session session, Request<R> request) {
    if (session.peer().role() == NodeRole.CLIENT && !(request instanceof HealthRequest)) {
      Optional<StoreHealth.Trouble> trouble = health.trouble();
      if (trouble.isPresent()) {
        return CompletableFuture.failedFuture(
            new RpcException(ErrorCode.UNAVAILABLE, "not now, try again: " + trouble.get()));
      }
    }
    return open.handle(session, request);
  }
}
