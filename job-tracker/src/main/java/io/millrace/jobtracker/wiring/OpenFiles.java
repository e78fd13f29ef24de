package io.millrace.jobtracker.wiring;

import com.sun.management.UnixOperatingSystemMXBean;
import io.millrace.jobtracker.console.ConsoleConfig;
import io.millrace.jobtracker.console.http.HttpLimits;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The files that the process may have open, each connection being one. The console's connections
 * never take more than a quarter of them, so that nodes can reach a tracker whose console is
 * flooded.
 *
 * @param most at a time
 */
public record OpenFiles(long most) {
  /** What libraries, the database and the log have open. */
  static final int OTHERS = 200;

  private static final int PART_OF_THE_CONSOLE = 4;

  /** As the system has set it; as many as there can be where it tells of no bound. */
  public static OpenFiles ofThisProcess() {
    return new OpenFiles(
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getMaxFileDescriptorCount()
            : Long.MAX_VALUE);
  }

  /** The console's configuration with no more connections than there is room for. */
  public ConsoleConfig within(ConsoleConfig config) {
    HttpLimits limits = config.limits();
    long room = Math.max(1, most / PART_OF_THE_CONSOLE - HttpLimits.KEPT_FOR_HEALTH);
    return limits.connections() <= room
        ? config
        : config.within(limits.withConnections((int) room, limits.connectionsPerAddress()));
  }

  /** What is wrong if all bounds on connections are reached at once; empty if nothing is. */
  public Optional<String> shortage(int rpcConnections, @Nullable ConsoleConfig console) {
    long ofConsole =
        console == null ? 0 : (long) console.limits().connections() + HttpLimits.KEPT_FOR_HEALTH;
    long needed = rpcConnections + ofConsole + OTHERS;
    return needed <= most
        ? Optional.empty()
        : Optional.of(
            "this process may open %d files at a time, and %d are needed if rpc.max-connections (%d)"
                    .formatted(most, needed, rpcConnections)
                + " and console.max-connections are reached: raise ulimit -n, or lower them");
  }
}
