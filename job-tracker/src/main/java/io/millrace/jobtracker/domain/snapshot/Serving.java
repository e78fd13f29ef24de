package io.millrace.jobtracker.domain.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * Who serves a node group. Both empty means nobody.
 *
 * @param here what this tracker knows, if it serves the group
 * @param elsewhere which other tracker serves it, and where it listens
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

  /** Nobody serves the group. */
  public static Serving nobody() {
    return new Serving(null, null);
  }
}
