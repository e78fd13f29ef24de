package io.millrace.common.rpc;

/** What a server counts of its connections. Read at any time; costs nothing. Thread-safe. */
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

  /** Connections closed at once, because there were too many. */
  long refusedConnections();

  /** Bytes of messages that wait for slow readers now. */
  long unsentBytes();

  /** Bytes of incomplete frames that are held now. */
  long receivedBytes();
}
