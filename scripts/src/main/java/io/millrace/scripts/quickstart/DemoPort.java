package io.millrace.scripts.quickstart;

import io.millrace.scripts.BadInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** The ports of the quickstart's tracker. */
public final class DemoPort {
  private static final int HIGHEST = 65_535;

  /** Makes the tracker take any free port. */
  private static final int ANY = 0;

  private DemoPort() {}

  /**
   * Returns the wanted port, or 0 for any port if the wanted one is in use, and reports that.
   *
   * @throws BadInputException if the value is not a port
   */
  public static int choose(int wanted, PrintWriter out) {
    BadInputException.unless(
        wanted >= 0 && wanted <= HIGHEST,
        "--port " + wanted + " is not a port: use 0 to " + HIGHEST);
    if (isFree(wanted)) {
      return wanted;
    }
    out.println("port " + wanted + " is in use: the tracker uses a free one instead");
    return ANY;
  }

  private static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
