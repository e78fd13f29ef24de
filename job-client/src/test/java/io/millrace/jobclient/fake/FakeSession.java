package io.millrace.jobclient.fake;

import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.Ping;
import io.millrace.internal.protocol.PingReply;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** A session whose calls wait for the test to answer them. */
public final class FakeSession implements Session {
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private final String address;

  public FakeSession(String address) {
    this.address = address;
  }

  /** Every call so far, answered or not. */
  public List<Call> calls() {
    return List.copyOf(calls);
  }

  /** The latest call. */
  public Call last() {
    return calls.get(calls.size() - 1);
  }

  @Override
  public Peer peer() {
    return new Peer(NodeRole.TRACKER, "tracker-1", "", address);
  }

  /** Signs of life are answered at once and are none of the calls that tests look at. */
  @Override
  public <R> CompletableFuture<R> call(Request<R> request, Duration timeout) {
    CompletableFuture<R> future = new CompletableFuture<>();
    Call call = new Call(request, timeout, future);
    if (request instanceof Ping) {
      call.answer(PingReply.ALIVE);
    } else {
      calls.add(call);
    }
    return future;
  }

  @Override
  public boolean isOpen() {
    return !closed.isDone();
  }

  @Override
  public void onClose(Runnable task) {
    closed.thenRun(task);
  }

  @Override
  public void close() {
    if (closed.complete(null)) {
      calls.forEach(call -> call.fail(ErrorCode.UNAVAILABLE, "connection closed"));
    }
  }

  /** One call and what answers it. */
  public record Call(Request<?> request, Duration timeout, CompletableFuture<?> future) {

    @SuppressWarnings("unchecked")
    public void answer(Object reply) {
      ((CompletableFuture<Object>) future).complete(reply);
    }

    public void fail(ErrorCode code, String message) {
      future.completeExceptionally(new RpcException(code, message));
    }
  }
}
