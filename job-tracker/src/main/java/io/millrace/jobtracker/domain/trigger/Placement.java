package io.millrace.jobtracker.domain.trigger;

import org.jspecify.annotations.Nullable;

/**
 * Which workers a waiting trigger is for.
 *
 * @param lane the number of its {@link Lane}, or {@link #BOUND}
 * @param stickTo key of the worker that should run it, if that one is free; null if any may
 */
public record Placement(int lane, @Nullable String stickTo) {
  /** For every worker. */
  public static final Placement ANYWHERE = new Placement(0, null);

  /**
   * In the place of the number of a lane: the spec of the trigger names the worker that alone may
   * run it. Behind all lanes, so that what reads a lane reads none of these triggers.
   */
  public static final int BOUND = Short.MAX_VALUE;

  /** For the worker that the trigger's spec names. */
  public static final Placement AT_ONE_WORKER = new Placement(BOUND, null);
}
