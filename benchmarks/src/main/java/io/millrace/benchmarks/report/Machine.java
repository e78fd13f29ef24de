package io.millrace.benchmarks.report;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.Locale;

/** The machine of a run. */
public final class Machine {
  private Machine() {}

  /** Returns a line for the head of a report: what the machine is, and how busy it is now. */
  public static String line() {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    return String.format(
        Locale.ROOT,
        "Machine: %d cores, %s %s, Java %s, load average %.1f when the run began",
        system.getAvailableProcessors(),
        system.getName(),
        system.getVersion(),
        Runtime.version(),
        system.getSystemLoadAverage());
  }
}
