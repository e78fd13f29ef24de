package io.millrace.tasktracker;

import io.millrace.common.lifecycle.NamedThreads;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/**
 * The virtual threads of JVMs from 21 on, for a class file of 17, which cannot name them.
 * Stateless.
 */
final class VirtualThreads {
  /** The first JVM that has them other than as a preview. */
  static final int SINCE = 21;

  private VirtualThreads() {}

  /** The version of this JVM. */
  static int feature() {
    return Runtime.version().feature();
  }

  /**
   * Runs each task on a virtual thread of its own, named {@code prefix-1}, {@code prefix-2} and so
   * on; what one dies of is logged. Shutting it down at once interrupts those that run.
   *
   * @throws IllegalStateException if this JVM has none
   */
  static ExecutorService perTask(String prefix) {
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
