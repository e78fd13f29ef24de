package io.millrace.scripts.command;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
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

  /** Resolved here because that takes memory, of which there is none when they are needed. */
  private static final Class<OutOfMemoryError> MEMORY_IS_OUT = OutOfMemoryError.class;

  private static final Runtime RUNTIME = Runtime.getRuntime();
  private static final FileOutputStream ERROR_OUTPUT = new FileOutputStream(FileDescriptor.err);
  private static final byte[] MESSAGE =
      "Terminating: out of memory\n".getBytes(StandardCharsets.US_ASCII);

  private MemoryWatch() {}

  /** Ends the process when a thread dies for want of memory, also where the JVM was not told to. */
  static void install() {
    if (!ManagementFactory.getRuntimeMXBean().getInputArguments().contains(OPTION)) {
      LOG.warn(
          "this JVM goes on when memory is out in the middle of something; start it with {}",
          OPTION);
    }
    // With the first hook a JVM makes what ends it, also by halt.
    RUNTIME.addShutdownHook(new Thread(() -> {}, "millrace-memory-watch"));
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, cause) -> {
          if (MEMORY_IS_OUT.isInstance(cause)) {
            endProcess(thread, cause);
          }
          LOG.error("thread {} died", thread.getName(), cause);
        });
  }

  /** Says it without any memory, then where, if there is some; and ends the process in any case. */
  private static void endProcess(Thread thread, Throwable cause) {
    try {
      ERROR_OUTPUT.write(MESSAGE);
      System.err.println("in thread " + thread.getName() + ": " + cause.getMessage());
    } catch (IOException nothingReadsIt) {
      // The exit code says it as well.
    } finally {
      RUNTIME.halt(EXIT_CODE);
    }
  }
}
