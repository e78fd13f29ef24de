package io.millrace.tasktracker;

/**
 * The kind of thread that the bodies of jobs run on. What a body may do is the same on both; what
 * differs is said in docs/jobs-and-workers.md.
 */
public enum BodyThreads {
  /**
   * Virtual threads where a body that waits inside of a {@code synchronized} block gives its
   * carrier free, which is on JVMs of 24 or later; otherwise platform threads. The default.
   */
  AUTO,

  /** Virtual threads, one for each body. They need a JVM of 21 or later. */
  VIRTUAL,

  /** Platform threads, which are kept for a minute and used again. */
  PLATFORM;

  /**
   * The first JVM on which AUTO means virtual. On those before it, a few bodies that wait inside of
   * {@code synchronized} blocks hold every carrier, and whoever would wake them cannot run.
   */
  private static final int AUTO_SINCE = 24;

  /**
   * Whether bodies run on virtual threads.
   *
   * @param feature the version of the JVM, such as 17
   */
  boolean areVirtual(int feature) {
    return switch (this) {
      case AUTO -> feature >= AUTO_SINCE;
      case VIRTUAL -> true;
      case PLATFORM -> false;
    };
  }

  /**
   * Checks that a JVM has such threads.
   *
   * @param feature the version of the JVM
   * @throws IllegalArgumentException if it has not
   */
  void requireOn(int feature) {
    if (areVirtual(feature) && feature < VirtualThreads.SINCE) {
      throw new IllegalArgumentException(
          "bodyThreads %s needs a JVM of %d or later, and this is one of %d; %s takes what there is"
              .formatted(this, VirtualThreads.SINCE, feature, AUTO));
    }
  }
}
