package io.millrace.internal.rpc.connection;

import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.rpc.ServerLimits;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.Timer;

/** The objects that all connections of one server or one connector share. */
public record ConnectionContext(
    Messages messages, ConnectionLimits limits, Timer timer, Clock clock, SharedLoad load) {

  /** For the calling end: connections are few, so there are only bounds for each connection. */
  public static ConnectionContext ofCaller(ConnectionLimits limits, Timer timer, Clock clock) {
    return of(limits, ServerLimits.UNBOUNDED, timer, clock);
  }

  public static ConnectionContext of(
      ConnectionLimits limits, ServerLimits together, Timer timer, Clock clock) {
    Messages messages = new Messages(new JsonCodec(), limits.maxFrameBytes());
    return new ConnectionContext(messages, limits, timer, clock, new SharedLoad(together, clock));
  }
}
