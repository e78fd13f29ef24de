package io.millrace.jobtracker.store.console;

import java.util.Collection;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/** How often things happened within some time. Immutable. */
public final class Counts {

  /** What is counted. */
  public enum Of {
    /** Triggers written to wait. */
    PLANNED,
    /** Executions claimed for workers. */
    CLAIMED,
    /** Executions handed to workers. */
    STARTED,
    /** Triggers that ended so; and likewise the next four. */
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
    /** The longest of them: of several counts, the highest counts. */
    LATE_MAX,
    /** Of those that started, at most 100 ms late. */
    LATE_100MS,
    /** More than that, and at most 1 s late. */
    LATE_1S,
    /** More than that, and at most 10 s late. */
    LATE_10S,
    /** More than that, and at most 60 s late. */
    LATE_60S,
    /** Bodies that have run. */
    RAN,
    /** Milliseconds that they ran. */
    RUN_SUM;

    /** The column that it is kept in. */
    public String column() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final Counts NONE = new Counts(new EnumMap<>(Of.class));

  /** Without those that are 0. */
  private final Map<Of, Long> values;

  private Counts(Map<Of, Long> values) {
    this.values = values;
  }

  /** These; what is not among them is 0. */
  public static Counts of(Map<Of, Long> counted) {
    return combined(what -> counted.getOrDefault(what, 0L));
  }

  private static Counts combined(ToLongFunction<Of> values) {
    Map<Of, Long> combined = new EnumMap<>(Of.class);
    for (Of what : Of.values()) {
      long value = values.applyAsLong(what);
      if (value != 0) {
        combined.put(what, value);
      }
    }
    return new Counts(combined);
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

  /** What has come since these; the maximum is what this says. */
  public Counts since(Counts earlier) {
    return combined(what -> what == Of.LATE_MAX ? get(what) : get(what) - earlier.get(what));
  }

  /** The same, with the higher maximum of the two. */
  public Counts withMaximaOf(Counts other) {
    return combined(what -> what == Of.LATE_MAX ? Math.max(get(what), other.get(what)) : get(what));
  }

  public boolean isNothing() {
    return values.isEmpty();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Counts counts && values.equals(counts.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return "Counts" + values;
  }
}
