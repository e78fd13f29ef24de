package io.millrace.common.rpc.tracker;

import io.millrace.common.rpc.RpcException;
import io.millrace.common.rpc.Session;

/** Told when a {@link TrackerConnection} comes and goes; in order, one call at a time. */
public interface TrackerConnectionListener {

  /** A tracker answers: calls go over this session from now on. */
  default void connected(Session session) {}

  /**
   * Every tracker has failed once more, and one of them refuses this node for its token or its
   * version. The connection goes on trying.
   */
  default void refused(RpcException refusal) {}

  /** The last session is closed and no other is there yet: calls fail from now on. */
  default void disconnected() {}
}
