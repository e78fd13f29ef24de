package io.millrace.console.api;

import io.millrace.common.model.ChangeStatus;
import io.millrace.common.model.NodeRole;
import io.millrace.common.protocol.Request;
import io.millrace.common.rpc.Peer;
import io.millrace.console.http.Call;
import io.millrace.console.http.Problem.Kind;
import io.millrace.jobtracker.TrackerOperations;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to the tracker on behalf of operators, whom records name as {@code operator/} and
 * the name of their token. Waits for the answer for a bounded time. Thread-safe.
 */
public final class OperatorRequests {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String NAME = "operator/";

  private final TrackerOperations tracker;

  public OperatorRequests(TrackerOperations tracker) {
    this.tracker = tracker;
  }

  /** Sends a request and waits for its answer. */
  public <R> R ask(Call call, Request<R> request) throws Exception {
    return ask(call, "", request);
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @param clientGroup the client group that receives feedback; empty for none
   */
  public <R> R ask(Call call, String clientGroup, Request<R> request) throws Exception {
    Peer operator =
        new Peer(
            NodeRole.CLIENT, NAME + call.caller().name(), clientGroup, call.caller().address());
    try {
      return tracker
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

  /** The submission id by which a resend is recognized: the sender's own, or a new unique one. */
  public String submissionId(@Nullable String own) {
    return own == null ? "operator-" + tracker.ids().next(tracker.time().millis()) : own;
  }

  /** Throws a problem if the change was not made. */
  public static void requireDone(ChangeStatus status, String message) {
    switch (status) {
      case CHANGED, UNCHANGED -> {}
      case NOT_FOUND -> throw Kind.NOT_FOUND.because(message);
      case REFUSED, UNKNOWN -> throw Kind.CONFLICT.because(message);
    }
  }
}
