package io.millrace.tasktracker;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** What the JVM of the tests says of its threads, asked apart from the code under test. */
final class ThreadKind {
  private static final int FEATURE = Runtime.version().feature();

  private ThreadKind() {}

  static boolean jvmHasVirtualThreads() {
    return FEATURE >= 21;
  }

  static boolean isVirtual(Thread thread) {
    if (!jvmHasVirtualThreads()) {
      return false;
    }
    try {
      return (Boolean) Thread.class.getMethod("isVirtual").invoke(thread);
    } catch (ReflectiveOperationException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** The choices that this JVM can serve. */
  static Stream<RunnerThreads> choices() {
    return jvmHasVirtualThreads()
        ? Stream.of(RunnerThreads.values())
        : Stream.of(RunnerThreads.AUTO, RunnerThreads.PLATFORM);
  }

  /** Whether an invocation must be on a virtual thread with this choice, on this JVM. */
  static boolean mustBeVirtual(RunnerThreads choice) {
    return switch (choice) {
      case AUTO -> FEATURE >= 24;
      case VIRTUAL -> true;
      case PLATFORM -> false;
    };
  }

  /** A call that computes until told otherwise, which no interrupt ends and no carrier survives. */
  static void spinUntil(AtomicBoolean over) {
    while (!over.get()) {
      Thread.onSpinWait();
    }
  }
}
