package io.millrace.scripts.command;

import java.lang.management.ManagementFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a node's process when memory is out. A process that goes on without is neither alive nor
 * dead: some of its threads have ended, its database may have closed itself, and what watches the
 * process sees nothing.
 */
final class MemoryWatch {
  /** Has the JVM do it, wherever memory runs out; the launcher sets it. */
  static final String OPTION = "-XX:+ExitOnOutOfMemoryError";

  /** The exit code of the JVM itself. */
  static final int EXIT_CODE = 3;

  private static final Logger LOG = LoggerFactory.getLogger(MemoryWatch.class);

  private MemoryWatch() {}

  /** Ends the process when a thread dies for want of memory, also where the JVM was not told to. */
  static void install() {
    if (!ManagementFactory.getRuntimeMXBean().getInputArguments().contains(OPTION)) {
      LOG.warn(
          "this JVM goes on when memory is out in the middle of something; start it with {}",
          OPTION);
    }
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, cause) -> {
          if (cause instanceof OutOfMemoryError) {
            System.err.println("Terminating: out of memory in " + thread.getName() + ": " + cause);
            Runtime.getRuntime().halt(EXIT_CODE);
          }
          LOG.error("thread {} died", thread.getName(), cause);
        });
  }
}
