package io.millrace.torture.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * Ports for trackers that are killed and restarted on the same port. They are below the system's
 * ephemeral ports: otherwise a node that connects to the dead tracker could be assigned the
 * tracker's own port, and even connect to itself.
 */
public final class FreePort {
  private static final int LOWEST = 20_000;
  private static final int COUNT = 10_000;
  private static final int ATTEMPTS = 100;

  /** The ports already returned; a caller may start listening on a port much later. */
  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private FreePort() {}

  /** Returns a port that is not in use and was not returned before. */
  public static int find() {
    Random random = new Random();
    for (int i = 0; i < ATTEMPTS; i++) {
      int port = LOWEST + random.nextInt(COUNT);
      if (isFree(port) && GIVEN.add(port)) {
        return port;
      }
    }
    throw new IllegalStateException("found no free port in " + ATTEMPTS + " attempts");
  }

  /**
   * Returns the first of this number of consecutive ports that are not in use and were not returned
   * before.
   */
  public static int findRow(int count) {
    Random random = new Random();
    for (int i = 0; i < ATTEMPTS; i++) {
      int first = LOWEST + random.nextInt(COUNT - count);
      List<Integer> row = IntStream.range(first, first + count).boxed().toList();
      if (row.stream().allMatch(port -> isFree(port) && !GIVEN.contains(port))) {
        GIVEN.addAll(row);
        return first;
      }
    }
    throw new IllegalStateException(
        "found no %d free ports in a row in %d attempts".formatted(count, ATTEMPTS));
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
