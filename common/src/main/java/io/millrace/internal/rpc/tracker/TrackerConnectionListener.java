package io.millrace.internal.rpc.tracker;

import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;

/** Receives the changes of a {@link TrackerConnection}; in order, one call at a time. */
public interface TrackerConnectionListener {

  /** A tracker is connected: calls use this session from now on. */
  default void connected(Session session) {}

  /**
   * Every tracker has failed in a round, and one of them rejected this node for its token or its
   * version. The connection keeps retrying.
   */
  default void refused(RpcException refusal) {}

  /** The session is closed and there is no other: calls fail until the next one. */
  default void disconnected() {}
}
