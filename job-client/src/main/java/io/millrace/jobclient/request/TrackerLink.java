package io.millrace.jobclient.request;

import io.millrace.common.rpc.RpcException;
import io.millrace.common.rpc.Session;
import org.jspecify.annotations.Nullable;

/** The connection to a tracker. Thread-safe. */
public interface TrackerLink {

  /** Returns the live session, or null while there is none. */
  @Nullable Session session();

  /**
   * Returns why trackers refuse this client because of its token or version, or null if no tracker
   * refuses it now.
   */
  @Nullable RpcException refusal();

  /**
   * Returns a description for people: the connected tracker, or the configured trackers and why
   * none is connected.
   */
  String describe();
}
