package io.millrace.common.rpc.netty;

import io.millrace.common.rpc.CutReason;
import io.millrace.common.rpc.connection.Connection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a server that have not proven themselves, oldest first. A stranger who opens
 * many of them crowds out his own: a node that knows its token takes moments. Thread-safe.
 */
final class Handshakes {
  private final int max;
  private final Set<Connection> underWay = new LinkedHashSet<>();

  Handshakes(int max) {
    this.max = max;
  }

  /** Takes a connection in; the oldest leaves if there are too many. */
  void begin(Connection connection) {
    Connection oldest;
    synchronized (this) {
      underWay.add(connection);
      oldest = underWay.size() > max ? removeOldest() : null;
    }
    crowdOut(oldest);
  }

  /** The connection has proven itself, or is closed. */
  synchronized void end(Connection connection) {
    underWay.remove(connection);
  }

  /** Closes the oldest to make room; returns whether there was any. */
  boolean giveUpOldest() {
    Connection oldest;
    synchronized (this) {
      oldest = removeOldest();
    }
    crowdOut(oldest);
    return oldest != null;
  }

  private @Nullable Connection removeOldest() {
    Iterator<Connection> oldestFirst = underWay.iterator();
    if (!oldestFirst.hasNext()) {
      return null;
    }
    Connection oldest = oldestFirst.next();
    oldestFirst.remove();
    return oldest;
  }

  private static void crowdOut(@Nullable Connection oldest) {
    if (oldest != null) {
      oldest.cut(CutReason.CROWDED_OUT, "others wait to say hello, and it has taken the longest");
    }
  }
}
