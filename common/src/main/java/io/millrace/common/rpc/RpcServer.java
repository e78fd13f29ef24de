package io.millrace.common.rpc;

import java.util.function.Consumer;

/** Listens for nodes. */
public interface RpcServer extends AutoCloseable {

  /**
   * Starts listening and returns the address others reach it by, as host:port.
   *
   * @param handler answers requests of sessions that have said hello
   * @param onSession told of each new session, before its first request is handled
   * @throws RpcException if it cannot listen
   */
  String start(RequestHandler handler, Consumer<Session> onSession);

  /** What it counts of its connections. */
  default RpcCounts counts() {
    return RpcCounts.NONE;
  }

  /** Stops listening and closes every session. Idempotent. */
  @Override
  void close();
}
