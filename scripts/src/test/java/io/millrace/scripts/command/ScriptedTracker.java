package io.millrace.scripts.command;

import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.netty.NettyRpcServer;
import io.millrace.internal.time.SystemClock;
import io.millrace.internal.time.WheelTimer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** A tracker on loopback that answers every request as it was told to. */
final class ScriptedTracker implements AutoCloseable {
  private final WheelTimer timer = new WheelTimer("scripted-tracker-wheel");
  private final NettyRpcServer server;
  private final LinkedBlockingQueue<Request<?>> asked = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<Peer> callers = new LinkedBlockingQueue<>();
  private final String address;
  private volatile @Nullable Object answer;

  ScriptedTracker() {
    this(RoleTokens.NONE);
  }

  /** One that lets in whoever has these tokens. */
  ScriptedTracker(RoleTokens tokens) {
    server =
        new NettyRpcServer(
            RpcServerConfig.onLoopback(0).withTokens(tokens),
            "tracker-1",
            timer,
            new SystemClock(),
            1);
    address = server.start(this::answer, session -> callers.add(session.peer()));
  }

  String address() {
    return address;
  }

  /** From now on this is the answer, or the refusal. */
  void answers(Object reply) {
    answer = reply;
  }

  /** The next request that came. */
  Request<?> asked() throws InterruptedException {
    return asked.take();
  }

  /** The next client that came. */
  Peer caller() throws InterruptedException {
    return callers.take();
  }

  @SuppressWarnings("unchecked") // the test answers with the reply of the request it expects
  private <R> CompletionStage<R> answer(Session session, Request<R> request) {
    asked.add(request);
    if (answer instanceof RpcException refusal) {
      return CompletableFuture.failedFuture(refusal);
    }
    return (CompletionStage<R>) CompletableFuture.completedFuture(answer);
  }

  @Override
  public void close() {
    server.close();
    timer.close();
  }
}
