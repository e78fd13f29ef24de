package io.millrace.tasktracker;

import io.millrace.tasktracker.internal.threads.VirtualThreads;

/**
 * The kind of thread that runs the invocations of jobs. An invocation may do the same on both
 * kinds; docs/workers.md describes the differences.
 */
public enum RunnerThreads {
  /**
   * Virtual threads on Java 24 or later, where an invocation that waits inside a {@code
   * synchronized} block releases its carrier thread; otherwise platform threads. The default.
   */
  AUTO,

  /** Virtual threads, one for each invocation. They require Java 21 or later. */
  VIRTUAL,

  /** Platform threads. An idle thread is kept for one minute for the next invocation. */
  PLATFORM;

  /**
   * The first Java version on which AUTO means virtual. On earlier versions a few invocations that
   * wait inside {@code synchronized} blocks can occupy every carrier, so that the invocations that
   * would wake them cannot run.
   */
  private static final int AUTO_SINCE = 24;

  /**
   * Returns whether invocations run on virtual threads.
   *
   * @param feature the Java version, for example 17
   */
  boolean areVirtual(int feature) {
    return switch (this) {
      case AUTO -> feature >= AUTO_SINCE;
      case VIRTUAL -> true;
      case PLATFORM -> false;
    };
  }

  /**
   * Checks that a JVM has threads of this kind.
   *
   * @param feature the Java version of the JVM
   * @throws IllegalArgumentException if it does not have them
   */
  void requireOn(int feature) {
    if (areVirtual(feature) && feature < VirtualThreads.SINCE) {
      throw new IllegalArgumentException(
          ("runnerThreads %s needs a JVM of version %d or later, but this JVM has version %d; %s"
                  + " selects threads that it supports")
              .formatted(this, VirtualThreads.SINCE, feature, AUTO));
    }
  }
}
