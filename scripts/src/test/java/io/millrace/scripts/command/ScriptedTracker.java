package io.millrace.scripts.command;

import io.millrace.common.protocol.Request;
import io.millrace.common.rpc.NettyRpcServer;
import io.millrace.common.rpc.Peer;
import io.millrace.common.rpc.RpcServerConfig;
import io.millrace.common.rpc.Session;
import io.millrace.common.time.SystemClock;
import io.millrace.common.time.WheelTimer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** A tracker on loopback that answers every request as it was told to. */
final class ScriptedTracker implements AutoCloseable {
  private final WheelTimer timer = new WheelTimer("scripted-tracker-wheel");
  private final NettyRpcServer server =
      new NettyRpcServer(RpcServerConfig.onLoopback(0), "tracker-1", timer, new SystemClock(), 1);
  private final LinkedBlockingQueue<Request<?>> asked = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<Peer> callers = new LinkedBlockingQueue<>();
  private final String address = server.start(this::answer, session -> callers.add(session.peer()));
  private volatile @Nullable Object answer;

  String address() {
    return address;
  }

  /** From now on this is the answer. */
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
    return (CompletionStage<R>) CompletableFuture.completedFuture(answer);
  }

  @Override
  public void close() {
    server.close();
    timer.close();
  }
}
