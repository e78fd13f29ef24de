package io.millrace.internal.rpc;

/** Counters of a server's connections. Cheap to read at any time. Thread-safe. */
public interface RpcCounts {

  /** Connections closed for this reason. */
  long cut(CutReason reason);

  /** Connections rejected because there were too many. */
  long refusedConnections();

  /** Bytes of messages that currently wait for slow readers. */
  long unsentBytes();

  /** Bytes of incomplete frames that are currently held. */
  long receivedBytes();
}
