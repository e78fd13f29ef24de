package io.millrace.internal.rpc.connection;

import io.millrace.internal.logging.LogLimiter;
import io.millrace.internal.rpc.CutReason;
import io.millrace.internal.rpc.RpcCounts;
import io.millrace.internal.rpc.ServerLimits;
import io.millrace.internal.time.Clock;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The bytes that the connections of one server or connector hold together, and the counts of closed
 * and rejected connections. Thread-safe.
 */
public final class SharedLoad implements RpcCounts {

  /**
   * A connection may always have this many request bytes under way, even when the shared bound is
   * reached.
   */
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

  /** Bytes of messages that wait to be sent, with the overhead of each. */
  public SharedBytes unsent() {
    return unsent;
  }

  /** Bytes of incomplete frames. */
  public SharedBytes received() {
    return received;
  }

  /**
   * Reserves room for a request.
   *
   * @param ofConnection bytes of the requests that its connection has under way
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

  private LongAdder counter(CutReason reason) {
    LongAdder counter = cuts.get(reason);
    if (counter == null) {
      throw new IllegalStateException("no counter for " + reason);
    }
    return counter;
  }
}
