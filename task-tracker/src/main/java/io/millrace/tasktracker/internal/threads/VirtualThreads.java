package io.millrace.tasktracker.internal.threads;

import io.millrace.internal.lifecycle.NamedThreads;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/**
 * Provides the virtual threads of Java 21 and later by reflection, because these classes are
 * compiled for Java 17. Stateless.
 */
public final class VirtualThreads {
  /** The first Java version that has virtual threads as a final feature. */
  public static final int SINCE = 21;

  private VirtualThreads() {}

  /** Returns the Java version of this JVM. */
  public static int feature() {
    return Runtime.version().feature();
  }

  /**
   * Returns an executor that runs each task on a virtual thread of its own. The threads are named
   * {@code prefix-1}, {@code prefix-2} and so on; an uncaught exception is logged. {@code
   * shutdownNow} interrupts the running threads.
   *
   * @throws IllegalStateException if this JVM has no virtual threads
   */
  public static ExecutorService perTask(String prefix) {
    try {
      // Thread.ofVirtual().name(prefix, 1).uncaughtExceptionHandler(…).factory()
      Class<?> builderType = Class.forName("java.lang.Thread$Builder");
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      builderType.getMethod("name", String.class, long.class).invoke(builder, prefix + "-", 1L);
      builderType
          .getMethod("uncaughtExceptionHandler", UncaughtExceptionHandler.class)
          .invoke(builder, (UncaughtExceptionHandler) NamedThreads::logDeath);
      ThreadFactory threads = (ThreadFactory) builderType.getMethod("factory").invoke(builder);
      return (ExecutorService)
          Executors.class
              .getMethod("newThreadPerTaskExecutor", ThreadFactory.class)
              .invoke(null, threads);
    } catch (ReflectiveOperationException | ClassCastException none) {
      throw new IllegalStateException(
          "this JVM, of version " + feature() + ", has no virtual threads", none);
    }
  }
}
