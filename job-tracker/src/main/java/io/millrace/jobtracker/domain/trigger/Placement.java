package io.millrace.jobtracker.domain.trigger;

import org.jspecify.annotations.Nullable;

/**
 * Which workers a waiting trigger is for.
 *
 * @param lane the number of its {@link Lane}
 * @param stickTo key of the worker that should run it, if that one is free; null if any may
 */
public record Placement(int lane, @Nullable String stickTo) {
  /** For every worker. */
  public static final Placement ANYWHERE = new Placement(0, null);
}
