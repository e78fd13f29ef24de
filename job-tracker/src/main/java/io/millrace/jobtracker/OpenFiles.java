package io.millrace.jobtracker;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/**
 * The files that a process may have open, each connection being one.
 *
 * @param most at a time
 */
public record OpenFiles(long most) {
  /** What libraries, the database and the log have open. */
  static final int OTHERS = 200;

  /** As the system has set it; as many as there can be where it tells of no bound. */
  public static OpenFiles ofThisProcess() {
    return new OpenFiles(
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getMaxFileDescriptorCount()
            : Long.MAX_VALUE);
  }

  /**
   * What is wrong if all bounds on connections are reached at once; empty if nothing is.
   *
   * @param connections the sum of these bounds
   * @param keys which they are, with the verb: "rpc.max-connections is"
   */
  public Optional<String> shortage(long connections, String keys) {
    long needed = connections + OTHERS;
    return needed <= most
        ? Optional.empty()
        : Optional.of(
            "this process may open %d files at a time, and %d are needed if %s reached: raise ulimit -n, or lower the bound"
                .formatted(most, needed, keys));
  }
}
