package io.millrace.jobtracker.domain.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * Which tracker serves a node group. If both are null, no tracker does.
 *
 * @param here what this tracker knows, if it serves the group
 * @param elsewhere which other tracker serves it, and its address
 */
public record Serving(@Nullable GroupView here, @Nullable Elsewhere elsewhere) {

  /**
   * Another tracker.
   *
   * @param number of the tracker
   * @param address where it listens
   */
  public record Elsewhere(int number, String address) {}

  /** This tracker serves the group. */
  public static Serving here(GroupView view) {
    return new Serving(view, null);
  }

  /** Another tracker serves the group. */
  public static Serving elsewhere(int number, String address) {
    return new Serving(null, new Elsewhere(number, address));
  }

  /** No tracker serves the group. */
  public static Serving none() {
    return new Serving(null, null);
  }
}
