package io.millrace.tasktracker.execute;

import io.millrace.tasktracker.JobRunner;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Selects the runner of a job: the one that its handler names. A job without a handler gets the
 * default runner, or the only one. Immutable.
 */
public final class Runners {
  /** The maximum number of names in a message. */
  private static final int MAX_NAMED = 20;

  private final Map<String, JobRunner> byHandler;
  private final @Nullable JobRunner withoutHandler;

  /**
   * Creates a selection of runners.
   *
   * @param unnamed the default runner, or null
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

  /**
   * Returns the message that this worker has no runner for jobs with this handler. Called only if
   * it has none.
   */
  String whyNone(@Nullable String handler) {
    String names =
        byHandler.keySet().stream().sorted().limit(MAX_NAMED).collect(Collectors.joining(", "));
    String all = byHandler.size() > MAX_NAMED ? names + ", …" : names;
    if (handler == null || handler.isEmpty()) {
      return "the job names no handler, and this worker has %d (%s)"
          .formatted(byHandler.size(), all);
    }
    return byHandler.isEmpty()
        ? "no runner for handler '%s': this worker has only a default runner".formatted(handler)
        : "no runner for handler '%s': this worker has %s".formatted(handler, all);
  }

  /** Returns the runner of a job with this handler, or null if this worker has none. */
  @Nullable JobRunner find(@Nullable String handler) {
    return handler == null || handler.isEmpty() ? withoutHandler : byHandler.get(handler);
  }
}
