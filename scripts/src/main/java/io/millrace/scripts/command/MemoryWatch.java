package io.millrace.scripts.command;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a node's process when it runs out of memory. If such a process continued, some of its
 * threads would have ended and its database might have closed itself, but a process monitor would
 * not notice.
 */
final class MemoryWatch {
  /** The JVM option that ends the process on any OutOfMemoryError; the launcher sets it. */
  static final String OPTION = "-XX:+ExitOnOutOfMemoryError";

  /** The exit code that the JVM itself uses. */
  static final int EXIT_CODE = 3;

  private static final Logger LOG = LoggerFactory.getLogger(MemoryWatch.class);

  /** Resolved early, because resolving needs memory, which is missing when this is used. */
  private static final Class<OutOfMemoryError> MEMORY_IS_OUT = OutOfMemoryError.class;

  private static final Runtime RUNTIME = Runtime.getRuntime();
  private static final FileOutputStream ERROR_OUTPUT = new FileOutputStream(FileDescriptor.err);
  private static final byte[] MESSAGE =
      "Terminating: out of memory\n".getBytes(StandardCharsets.US_ASCII);

  private MemoryWatch() {}

  /** Ends the process when a thread dies of an OutOfMemoryError, even without the JVM option. */
  static void install() {
    if (!ManagementFactory.getRuntimeMXBean().getInputArguments().contains(OPTION)) {
      LOG.warn("this JVM does not exit when it runs out of memory; start it with {}", OPTION);
    }
    // Registering the first hook loads the JVM's shutdown classes, which halt needs too.
    RUNTIME.addShutdownHook(new Thread(() -> {}, "millrace-memory-watch"));
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, cause) -> {
          if (MEMORY_IS_OUT.isInstance(cause)) {
            endProcess(thread, cause);
          }
          LOG.error("thread {} died", thread.getName(), cause);
        });
  }

  /**
   * Prints a message without allocating memory, then the location if memory permits; always ends
   * the process.
   */
  private static void endProcess(Thread thread, Throwable cause) {
    try {
      ERROR_OUTPUT.write(MESSAGE);
      System.err.println("in thread " + thread.getName() + ": " + cause.getMessage());
    } catch (IOException nothingReadsIt) {
      // The exit code reports the error as well.
    } finally {
      RUNTIME.halt(EXIT_CODE);
    }
  }
}
