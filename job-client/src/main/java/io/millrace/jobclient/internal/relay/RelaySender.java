package io.millrace.jobclient.internal.relay;

import io.millrace.api.CancelResult;
import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.RelayEpoch;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.SubmitReply;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.jobclient.internal.request.JobKey;
import io.millrace.jobclient.internal.request.RequestContext;
import io.millrace.jobclient.internal.request.RpcFailures;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.IntFunction;

/**
 * Sends rows to the connected tracker, each once, and waits for the answers. Rows that get none are
 * sent again by a later pass. Used by one thread.
 */
final class RelaySender {
  private static final int REQUEST_BYTES = 1 << 20;

  private final RequestContext context;
  private List<EnqueuedRow> underWay = List.of();

  RelaySender(RequestContext context) {
    this.context = context;
  }

  /** Whether a tracker is connected. */
  boolean isConnected() {
    return context.link().session() != null;
  }

  /**
   * Sends submits of distinct keys.
   *
   * @param attempts returns the epoch of the next attempt in a partition, higher than all before
   *     it; asked once for each request
   * @param settled receives a settlement for each row that was answered
   * @throws RpcException if a request got no answer, or an error that does not concern its rows;
   *     OUTDATED if a later attempt was answered; {@link #mayBeSent} returns which rows it had
   */
  void submit(List<EnqueuedRow> rows, IntFunction<RelayEpoch> attempts, List<Settlement> settled) {
    List<EnqueuedRow> batch = new ArrayList<>();
    long bytes = 0;
    for (EnqueuedRow row : rows) {
      int size = row.content().body().getBytes(StandardCharsets.UTF_8).length;
      if (!batch.isEmpty() && bytes + size > REQUEST_BYTES) {
        submitBatch(batch, attempts, settled);
        batch = new ArrayList<>();
        bytes = 0;
      }
      batch.add(row);
      bytes += size;
    }
    if (!batch.isEmpty()) {
      submitBatch(batch, attempts, settled);
    }
  }

  /** Whether the request that failed had this row. */
  boolean mayBeSent(EnqueuedRow row) {
    return underWay.contains(row);
  }

  /** If a tracker calls the request bad, each row is sent alone, to find the one that is. */
  private void submitBatch(
      List<EnqueuedRow> rows, IntFunction<RelayEpoch> attempts, List<Settlement> settled) {
    try {
      settled.addAll(submitTogether(rows, attempts));
    } catch (RpcException e) {
      if (e.code() != ErrorCode.BAD_REQUEST) {
        throw e;
      }
      if (rows.size() == 1) {
        settled.add(Settlement.setAside(rows.get(0), e.code().name(), e.getMessage()));
        return;
      }
      rows.forEach(row -> submitBatch(List.of(row), attempts, settled));
    }
  }

  private List<Settlement> submitTogether(
      List<EnqueuedRow> rows, IntFunction<RelayEpoch> attempts) {
    Map<Integer, RelayEpoch> epochs = new HashMap<>();
    List<JobSubmission> submissions = new ArrayList<>();
    for (EnqueuedRow row : rows) {
      RelayEpoch attempt = epochs.computeIfAbsent(row.partition(), attempts::apply);
      submissions.add(row.submission().relayedBy(attempt));
    }
    boolean isTimed = submissions.stream().anyMatch(each -> each.submittedAt() != null);
    SubmitReply reply =
        ask(rows, new SubmitRequest(submissions, isTimed ? context.clock().now() : null));
    if (reply.results().size() != rows.size()) {
      throw new RpcException(
          ErrorCode.INTERNAL,
          "a tracker returned %d results for %d jobs"
              .formatted(reply.results().size(), rows.size()));
    }
    List<Settlement> settled = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      settled.add(settlementOf(rows.get(i), reply.results().get(i)));
    }
    return settled;
  }

  private static Settlement settlementOf(EnqueuedRow row, SubmitResult result) {
    RejectReason reason = result.reason();
    if (result.status() == SubmitStatus.UNKNOWN) {
      return Settlement.setAside(row, result.status().name(), result.message());
    }
    if (result.status() != SubmitStatus.REJECTED || reason == null) {
      return Settlement.answered(row, result.status().name());
    }
    if (reason == RejectReason.OUTDATED) {
      throw new RpcException(ErrorCode.OUTDATED, String.valueOf(result.message()));
    }
    if (reason == RejectReason.WAITING_FULL) {
      return Settlement.notSent(row, result.message());
    }
    return reason.mayPass()
        ? Settlement.stays(row, result.message())
        : Settlement.setAside(row, reason.name(), result.message());
  }

  /**
   * Sends a cancel.
   *
   * @param attempt higher than that of every attempt before it in the partition
   * @throws RpcException as {@link #submit}; OUTDATED if a later attempt was answered
   */
  Settlement cancel(EnqueuedRow row, RelayEpoch attempt) {
    JobKey key = row.key();
    try {
      CancelResult result =
          ask(List.of(row), new CancelRequest(key.nodeGroup(), key.taskId(), attempt));
      return Settlement.answered(row, result.found() ? "CANCELLED" : "NOT_FOUND");
    } catch (RpcException e) {
      if (e.code() == ErrorCode.BAD_REQUEST) {
        return Settlement.setAside(row, e.code().name(), e.getMessage());
      }
      throw e;
    }
  }

  private <R> R ask(List<EnqueuedRow> rows, Request<R> request) {
    underWay = List.of();
    Session session = context.link().session();
    if (session == null) {
      throw new RpcException(ErrorCode.UNAVAILABLE, "no tracker is connected");
    }
    underWay = rows;
    CompletableFuture<R> answer =
        CompletableFuture.completedFuture(session)
            .thenCompose(live -> live.call(request, context.timeouts().attempt()));
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw RpcFailures.of(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RpcException(ErrorCode.UNAVAILABLE, "the relay was interrupted", e);
    }
  }
}
