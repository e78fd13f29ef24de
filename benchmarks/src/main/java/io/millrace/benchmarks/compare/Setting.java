package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.contender.BenchJob;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The conditions under which was measured, for the head of the report. */
final class Setting {
  /**
   * Of every process of every contender. A proxy that is not there keeps whoever would like to from
   * telling the world what it finds here.
   */
  static final List<String> JVM_OPTIONS =
      List.of(
          "-Xms512m",
          "-Xmx1g",
          "-XX:+UseG1GC",
          "-Duser.timezone=UTC",
          "-Dhttp.proxyHost=127.0.0.1",
          "-Dhttp.proxyPort=9",
          "-Dhttps.proxyHost=127.0.0.1",
          "-Dhttps.proxyPort=9");

  private Setting() {}

  static List<String> lines(Plan plan) {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "Machine: %d cores, %s %s, Java %s, load average %.1f when the run began",
            system.getAvailableProcessors(),
            system.getName(),
            system.getVersion(),
            Runtime.version(),
            system.getSystemLoadAverage()));
    lines.add("Each process of each contender: java " + String.join(" ", JVM_OPTIONS));
    lines.add(
        "Workers: %d slots; submitters: %d threads; a batch: %d jobs; parameters: %d bytes"
            .formatted(plan.slots(), plan.submitters(), plan.batch(), BenchJob.PAYLOAD_CHARS));
    lines.add(
        "Each value is a median, with the least and the greatest of its rounds; ratios are ours"
            + " divided by theirs.");
    return lines;
  }
}
