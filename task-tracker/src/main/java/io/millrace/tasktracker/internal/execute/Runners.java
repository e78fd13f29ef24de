package io.millrace.tasktracker.internal.execute;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Selects the runner of a job: the one that its handler names. A job without a handler gets the
 * default runner, or the only one. Immutable.
 *
 * @param <R> a runner
 */
public final class Runners<R> {
  /** The maximum number of names in a message. */
  private static final int MAX_NAMED = 20;

  private final @Nullable R unnamed;
  private final Map<String, R> byHandler;

  /**
   * Creates a selection of runners.
   *
   * @param unnamed the default runner, or null
   * @throws IllegalArgumentException if there is no runner at all
   */
  public Runners(@Nullable R unnamed, Map<String, R> byHandler) {
    if (unnamed == null && byHandler.isEmpty()) {
      throw new IllegalArgumentException("a worker needs at least one runner");
    }
    this.unnamed = unnamed;
    this.byHandler = Map.copyOf(byHandler);
  }

  /**
   * Returns the same selection of other runners.
   *
   * @param replacement returns the runner to use instead; receives the name of the handler, or null
   *     for the default runner
   */
  public <S> Runners<S> map(BiFunction<@Nullable String, R, S> replacement) {
    Map<String, S> mapped = new LinkedHashMap<>();
    byHandler.forEach((name, runner) -> mapped.put(name, replacement.apply(name, runner)));
    return new Runners<>(unnamed == null ? null : replacement.apply(null, unnamed), mapped);
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
  @Nullable R find(@Nullable String handler) {
    if (handler != null && !handler.isEmpty()) {
      return byHandler.get(handler);
    }
    return unnamed == null && byHandler.size() == 1
        ? byHandler.values().iterator().next()
        : unnamed;
  }
}
