package io.millrace.console.api;

import io.millrace.common.model.ChangeStatus;
import io.millrace.common.model.NodeRole;
import io.millrace.common.protocol.Request;
import io.millrace.common.rpc.Peer;
import io.millrace.common.time.Clock;
import io.millrace.console.http.Call;
import io.millrace.console.http.Problem.Kind;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks rooms on behalf of operators, who stand in the records as {@code operator/} and the name of
 * their token. Waits for the answer, a bounded time. Thread-safe.
 */
public final class OperatorRequests {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String NAME = "operator/";

  private final Requests rooms;
  private final IdSequence ids;
  private final Clock clock;

  public OperatorRequests(Requests rooms, IdSequence ids, Clock clock) {
    this.rooms = rooms;
    this.ids = ids;
    this.clock = clock;
  }

  /** Asks, and waits. */
  public <R> R ask(Call call, Request<R> request) throws Exception {
    return ask(call, "", request);
  }

  /**
   * Asks, and waits.
   *
   * @param clientGroup whom feedback goes to; empty for nobody
   */
  public <R> R ask(Call call, String clientGroup, Request<R> request) throws Exception {
    Peer operator =
        new Peer(
            NodeRole.CLIENT, NAME + call.caller().name(), clientGroup, call.caller().address());
    try {
      return rooms
          .ask(operator, request)
          .toCompletableFuture()
          .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** The id that a request is known again by: the sender's own, or one that nobody else has. */
  public String submissionId(@Nullable String own) {
    return own == null ? "operator-" + ids.next(clock.millis()) : own;
  }

  /** Refuses a change that was not made. */
  public static void requireDone(ChangeStatus status, String message) {
    switch (status) {
      case CHANGED, UNCHANGED -> {}
      case NOT_FOUND -> throw Kind.NOT_FOUND.because(message);
      case REFUSED, UNKNOWN -> throw Kind.CONFLICT.because(message);
    }
  }
}
