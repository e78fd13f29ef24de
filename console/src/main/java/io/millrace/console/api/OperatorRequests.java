package io.millrace.console.api;

import io.millrace.api.ChangeStatus;
import io.millrace.console.http.Call;
import io.millrace.console.http.Caller;
import io.millrace.console.http.Problem.Kind;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.Peer;
import io.millrace.jobtracker.TrackerOperations;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to the tracker on behalf of operators, whom records name as {@code operator/} and
 * the name of their token. Waits for the answer for a bounded time. Thread-safe.
 */
public record OperatorRequests(TrackerOperations tracker) {
  /** Why a replay is refused that has both. */
  public static final String PARAMS_OR_KEPT =
      "params cannot be combined with keepSucceeded: what succeeded had the former ones";

  private static final Duration PATIENCE = Duration.ofSeconds(30);

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
    return await(send(call.caller(), clientGroup, request));
  }

  /**
   * Sends a request; {@link #await} waits for its answer.
   *
   * @param clientGroup the client group that receives feedback; empty for none
   */
  public <R> CompletionStage<R> send(Caller caller, String clientGroup, Request<R> request) {
    return tracker.ask(
        new Peer(NodeRole.CLIENT, nameOf(caller), clientGroup, caller.address()), request);
  }

  /**
   * Writes a new trigger in place of a dead one; {@link #await} waits until it is written.
   *
   * @param params new parameters; null keeps those of the dead trigger
   * @param keepSucceeded whether a run that was split runs again without the parts that succeeded
   */
  public CompletionStage<ReplayResult> replay(
      Caller caller, long deadId, @Nullable Map<String, String> params, boolean keepSucceeded) {
    if (!keepSucceeded) {
      return tracker.replay(deadId, params, nameOf(caller));
    }
    return params == null
        ? tracker.replayKeeping(deadId, nameOf(caller))
        : CompletableFuture.completedFuture(
            ReplayResult.not(ReplayResult.Status.BAD_PARAMS, PARAMS_OR_KEPT));
  }

  /** The operator's name as records show it. */
  public static String nameOf(Caller caller) {
    return "operator/" + caller.name();
  }

  /** Waits for an answer. */
  public static <R> R await(CompletionStage<R> answer) throws Exception {
    try {
      return answer.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
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
