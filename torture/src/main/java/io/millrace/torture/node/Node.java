package io.millrace.torture.node;

/**
 * One process of a run, which is ended and restarted on the same data. Operations on a node are
 * serialized. Thread-safe.
 */
public interface Node {

  /** Returns the name in the output of the run. */
  String name();

  /** Starts the process; returns when the process exists, before it is necessarily ready. */
  void start();

  /** Kills the process, as kill -9 does, even while it is frozen; returns when it has ended. */
  void kill();

  /**
   * Asks the process to end, and kills it if it takes too long; returns when it has ended.
   *
   * @return whether the process ended by itself
   */
  boolean stop();

  /**
   * Asks the process to end, and kills it before it has ended, unless it ends first; returns when
   * it has ended.
   *
   * @param moment when it is killed, from 0 to 1: the elapsed fraction of the duration of its last
   *     stop
   * @return whether it was killed
   */
  boolean stopCutShort(double moment);

  /** Freezes the process, as kill -STOP does. */
  void freeze();

  /** Resumes the process; returns when it has caught up. */
  void thaw();

  /**
   * Restarts the process if it ended without being asked to.
   *
   * @return whether it was restarted
   */
  boolean revive();
}
