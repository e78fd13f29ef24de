package io.millrace.jobtracker.store.console;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** The numbers of events in a period. Immutable. */
public record Counts(Map<Of, Long> values) {

  /** The kinds of counters. */
  public enum Of {
    /** Triggers written to a waiting table. */
    PLANNED,
    /** Executions claimed for workers. */
    CLAIMED,
    /** Executions handed out to workers. */
    STARTED,
    /** Triggers that ended with this result; likewise the next four. */
    SUCCEEDED,
    FAILED,
    DEAD,
    CANCELLED,
    SKIPPED,
    /** Attempts that threw and are followed by another. */
    RETRIED,
    /** Attempts whose worker was lost. */
    RESCUED,
    /** Attempts that were postponed or returned. */
    GIVEN_BACK,
    /** Milliseconds from due to handed out, over all that started. */
    LATE_SUM,
    /** The longest of these delays: of several counts, the maximum applies. */
    LATE_MAX,
    /** Started executions that were at most 100 ms late. */
    LATE_100MS,
    /** More than 100 ms and at most 1 s late. */
    LATE_1S,
    /** More than 1 s and at most 10 s late. */
    LATE_10S,
    /** More than 10 s and at most 60 s late. */
    LATE_60S,
    /** Job invocations that have run. */
    RAN,
    /** Total run time of these invocations in milliseconds. */
    RUN_SUM;

    /** The column that stores it. */
    public String column() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final Counts NONE = new Counts(Map.of());

  /** Leaves out values of zero. */
  public Counts {
    Map<Of, Long> counted = new EnumMap<>(Of.class);
    values.forEach(
        (what, value) -> {
          if (value != 0) {
            counted.put(what, value);
          }
        });
    values = Collections.unmodifiableMap(counted);
  }

  private static Counts combined(ToLongFunction<Of> values) {
    return new Counts(
        Arrays.stream(Of.values())
            .collect(Collectors.toMap(Function.identity(), values::applyAsLong)));
  }

  public long get(Of what) {
    return values.getOrDefault(what, 0L);
  }

  /** The sum of some of them. */
  public long sum(Collection<Of> some) {
    return some.stream().mapToLong(this::get).sum();
  }

  public Counts plus(Counts other) {
    return combined(
        what ->
            what == Of.LATE_MAX
                ? Math.max(get(what), other.get(what))
                : get(what) + other.get(what));
  }

  /** Returns the increase since {@code earlier}; the maximum is this one's. */
  public Counts since(Counts earlier) {
    return combined(what -> what == Of.LATE_MAX ? get(what) : get(what) - earlier.get(what));
  }

  /** Returns these counts with the higher maximum of the two. */
  public Counts withMaximaOf(Counts other) {
    return combined(what -> what == Of.LATE_MAX ? Math.max(get(what), other.get(what)) : get(what));
  }

  public boolean isNothing() {
    return values.isEmpty();
  }
}
