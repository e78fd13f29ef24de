package io.millrace.jobtracker;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/**
 * The number of files that a process may have open; each connection counts as one.
 *
 * @param most the highest number of open files at a time
 */
public record OpenFiles(long most) {
  /** The number of files that libraries, the database and the log have open. */
  static final int OTHERS = 200;

  /** The bound that the operating system sets, or {@link Long#MAX_VALUE} if it reports none. */
  public static OpenFiles ofThisProcess() {
    return new OpenFiles(
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getMaxFileDescriptorCount()
            : Long.MAX_VALUE);
  }

  /**
   * Describes the shortage of files if all bounds on connections are reached at once; empty if
   * there is no shortage.
   *
   * @param connections the sum of these bounds
   * @param keys the configuration keys of these bounds, with the verb: "rpc.max-connections is"
   */
  public Optional<String> shortage(long connections, String keys) {
    long needed = connections + OTHERS;
    return needed <= most
        ? Optional.empty()
        : Optional.of(
            ("this process may open %d files at a time, but %d are needed if %s reached: raise"
                    + " ulimit -n or lower the limit")
                .formatted(most, needed, keys));
  }
}
