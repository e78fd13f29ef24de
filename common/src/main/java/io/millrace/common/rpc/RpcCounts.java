package io.millrace.common.rpc;

/** Counters of a server's connections. Cheap to read at any time. Thread-safe. */
public interface RpcCounts {

  /** Counts nothing. */
  RpcCounts NONE =
      new RpcCounts() {
        @Override
        public long cut(CutReason reason) {
          return 0;
        }

        @Override
        public long refusedConnections() {
          return 0;
        }

        @Override
        public long unsentBytes() {
          return 0;
        }

        @Override
        public long receivedBytes() {
          return 0;
        }
      };

  /** Connections closed for this reason. */
  long cut(CutReason reason);

  /** Connections rejected because there were too many. */
  long refusedConnections();

  /** Bytes of messages that currently wait for slow readers. */
  long unsentBytes();

  /** Bytes of incomplete frames that are currently held. */
  long receivedBytes();
}
