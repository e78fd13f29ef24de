package io.millrace.benchmarks.child;

import java.util.List;

/** The options of the JVMs of a run. */
public final class JvmOptions {
  private JvmOptions() {}

  /**
   * Returns the options for what is measured. They point to a proxy that does not exist, so that no
   * contender can send data to the internet.
   *
   * @param heap the most memory of the heap, as the JVM reads it: 1g
   */
  public static List<String> measured(String heap) {
    return List.of(
        "-Xms512m",
        "-Xmx" + heap,
        "-XX:+UseG1GC",
        "-Duser.timezone=UTC",
        "-Dhttp.proxyHost=127.0.0.1",
        "-Dhttp.proxyPort=9",
        "-Dhttps.proxyHost=127.0.0.1",
        "-Dhttps.proxyPort=9");
  }

  /** Returns the options for JVMs that live for seconds. */
  public static List<String> ofTest() {
    return List.of(
        "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Duser.timezone=UTC");
  }
}
