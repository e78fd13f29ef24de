package io.millrace.internal.rpc;

import java.util.function.Consumer;

/** Accepts connections of nodes. */
public interface RpcServer extends AutoCloseable {

  /**
   * Starts listening and returns the address that others connect to, as host:port.
   *
   * @param handler answers requests of sessions whose handshake is over
   * @param onSession receives each new session, before its first request is handled
   * @throws RpcException if it cannot listen
   */
  String start(RequestHandler handler, Consumer<Session> onSession);

  /** The counters of the connections. */
  RpcCounts counts();

  /** Stops listening and closes every session. Idempotent. */
  @Override
  void close();
}
