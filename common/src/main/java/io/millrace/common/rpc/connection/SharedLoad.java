package io.millrace.common.rpc.connection;

import io.millrace.common.logging.LogLimiter;
import io.millrace.common.rpc.CutReason;
import io.millrace.common.rpc.RpcCounts;
import io.millrace.common.rpc.ServerLimits;
import io.millrace.common.time.Clock;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the connections of one server or connector hold together, and what was done about those that
 * held too much. Thread-safe.
 */
public final class SharedLoad {

  /** A connection may always have this much under way, also when the others have all there is. */
  static final long SMALL_REQUEST_BYTES = 64 << 10;

  private final SharedBytes unsent;
  private final SharedBytes received;
  private final long maxRequestBytes;
  private final AtomicLong requestBytes = new AtomicLong();
  private final WrongProofs wrongProofs;
  private final LogLimiter log;
  private final Map<CutReason, LongAdder> cuts = new EnumMap<>(CutReason.class);
  private final LongAdder refusedConnections = new LongAdder();

  SharedLoad(ServerLimits limits, Clock clock) {
    this.unsent = new SharedBytes(limits.maxUnsentBytes(), clock);
    this.received = new SharedBytes(limits.maxReceivedBytes(), clock);
    this.maxRequestBytes = limits.maxReceivedBytes();
    this.wrongProofs = new WrongProofs(clock);
    this.log = new LogLimiter(clock);
    for (CutReason reason : CutReason.values()) {
      cuts.put(reason, new LongAdder());
    }
  }

  /** Bytes of messages that wait to be sent, with what each costs besides its body. */
  public SharedBytes unsent() {
    return unsent;
  }

  /** Bytes of frames that have not come in full. */
  public SharedBytes received() {
    return received;
  }

  /**
   * Takes room for a request.
   *
   * @param ofConnection bytes of requests that its connection has under way
   * @return whether there was room
   */
  boolean takeRequest(long bytes, long ofConnection) {
    if (requestBytes.addAndGet(bytes) <= maxRequestBytes
        || ofConnection + bytes <= SMALL_REQUEST_BYTES) {
      return true;
    }
    requestBytes.addAndGet(-bytes);
    return false;
  }

  void giveRequestBack(long bytes) {
    requestBytes.addAndGet(-bytes);
  }

  WrongProofs wrongProofs() {
    return wrongProofs;
  }

  public LogLimiter log() {
    return log;
  }

  void countCut(CutReason reason) {
    counter(reason).increment();
  }

  public void countRefusedConnection() {
    refusedConnections.increment();
  }

  public RpcCounts counts() {
    return new RpcCounts() {
      @Override
      public long cut(CutReason reason) {
        return counter(reason).sum();
      }

      @Override
      public long refusedConnections() {
        return refusedConnections.sum();
      }

      @Override
      public long unsentBytes() {
        return unsent.total();
      }

      @Override
      public long receivedBytes() {
        return received.total();
      }
    };
  }

  private LongAdder counter(CutReason reason) {
    LongAdder counter = cuts.get(reason);
    if (counter == null) {
      throw new IllegalStateException("no counter of " + reason);
    }
    return counter;
  }
}
