package io.millrace.jobclient.wiring;

import io.millrace.common.rpc.RpcException;
import io.millrace.common.rpc.Session;
import io.millrace.common.rpc.tracker.TrackerConnection;
import io.millrace.jobclient.request.TrackerLink;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A link over a connection that selects a tracker itself. */
record ConnectionLink(TrackerConnection connection, List<String> trackers) implements TrackerLink {

  @Override
  public @Nullable Session session() {
    return connection.session();
  }

  @Override
  public @Nullable RpcException refusal() {
    return connection.refusal();
  }

  @Override
  public String describe() {
    Session session = connection.session();
    if (session != null) {
      return "connected to the tracker at " + session.peer().address();
    }
    RpcException failure = connection.lastFailure();
    return "not connected to any tracker of "
        + trackers
        + (failure == null ? "" : ": " + failure.getMessage());
  }
}
