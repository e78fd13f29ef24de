package io.millrace.tasktracker.execute;

import io.millrace.tasktracker.JobRunner;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which runner runs a job: the one its handler names, or for a job without handler the default one,
 * or the only one. Immutable.
 */
public final class Runners {
  /** How many names a message lists. */
  private static final int MAX_NAMED = 20;

  private final Map<String, JobRunner> byHandler;
  private final @Nullable JobRunner withoutHandler;

  /**
   * @param unnamed the default runner, if there is one
   * @throws IllegalArgumentException if there is no runner at all
   */
  public Runners(@Nullable JobRunner unnamed, Map<String, JobRunner> byHandler) {
    if (unnamed == null && byHandler.isEmpty()) {
      throw new IllegalArgumentException("a worker needs at least one runner");
    }
    this.byHandler = Map.copyOf(byHandler);
    this.withoutHandler =
        unnamed == null && byHandler.size() == 1 ? byHandler.values().iterator().next() : unnamed;
  }

  /** Why this worker has no runner of a job with this handler, which it has not. */
  String whyNone(@Nullable String handler) {
    String names =
        byHandler.keySet().stream().sorted().limit(MAX_NAMED).collect(Collectors.joining(", "));
    String all = byHandler.size() > MAX_NAMED ? names + ", …" : names;
    if (handler == null || handler.isEmpty()) {
      return "the job names no handler and this worker has %d (%s)"
          .formatted(byHandler.size(), all);
    }
    return byHandler.isEmpty()
        ? "no runner of the name '%s': this worker has a default runner only".formatted(handler)
        : "no runner of the name '%s': this worker has %s".formatted(handler, all);
  }

  /** The runner of a job with this handler, or null if this worker has none. */
  @Nullable JobRunner find(@Nullable String handler) {
    return handler == null || handler.isEmpty() ? withoutHandler : byHandler.get(handler);
  }
}
