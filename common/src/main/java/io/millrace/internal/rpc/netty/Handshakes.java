package io.millrace.internal.rpc.netty;

import io.millrace.internal.rpc.CutReason;
import io.millrace.internal.rpc.connection.Connection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a server whose handshake is not over, oldest first. An attacker who opens many
 * connections displaces mostly other connections of the attack, because the handshake of a node
 * with the right token takes only moments. Thread-safe.
 */
final class Handshakes {
  private final int max;
  private final Set<Connection> underWay = new LinkedHashSet<>();

  Handshakes(int max) {
    this.max = max;
  }

  /** Adds a connection; closes the oldest if there are too many. */
  void begin(Connection connection) {
    Connection oldest;
    synchronized (this) {
      underWay.add(connection);
      oldest = underWay.size() > max ? removeOldest() : null;
    }
    crowdOut(oldest);
  }

  /** Removes a connection whose handshake is over, or that is closed. */
  synchronized void end(Connection connection) {
    underWay.remove(connection);
  }

  /** Closes the oldest connection to make room; returns false if there is none. */
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
      oldest.cut(
          CutReason.CROWDED_OUT, "too many handshakes are pending, and this one is the oldest");
    }
  }
}
