package io.millrace.jobclient.request;

import io.millrace.common.rpc.RpcException;
import io.millrace.common.rpc.Session;
import org.jspecify.annotations.Nullable;

/** The connection to a tracker, any one of those that are configured. Thread-safe. */
public interface TrackerLink {

  /** The live session, or null while there is none. */
  @Nullable Session session();

  /** Why trackers refuse this client for its token or its version, or null if none does now. */
  @Nullable RpcException refusal();

  /** For a person: the trackers, and why none is connected if that is so. */
  String describe();
}
