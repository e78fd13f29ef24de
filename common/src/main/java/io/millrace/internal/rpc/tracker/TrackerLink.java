package io.millrace.internal.rpc.tracker;

import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import org.jspecify.annotations.Nullable;

/** The session to a tracker, or the reason why there is none. Thread-safe. */
public interface TrackerLink {

  /** Returns the live session, or null while there is none. */
  @Nullable Session session();

  /**
   * Returns the rejection of this node, for its token or its version, in the last round of
   * attempts; null if there was none. While there is one, only a change of a configuration can
   * help.
   */
  @Nullable RpcException refusal();

  /**
   * Returns a description for people: the connected tracker, or the configured trackers and why
   * none is connected.
   */
  String describe();
}
