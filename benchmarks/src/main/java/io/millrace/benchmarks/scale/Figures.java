package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.database.DatabaseKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What was measured. Not thread-safe. */
final class Figures {
  private final Map<List<String>, Series> series = new LinkedHashMap<>();
  private final List<Failure> failures = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * Values of one kind, by the number of what grows.
   *
   * @param database the word of the database
   * @param what the name of the value
   */
  record Series(
      Measurement measurement,
      String database,
      String what,
      String unit,
      SortedMap<Long, Double> values) {

    /**
     * Returns by how much the value grows with each, by the method of least squares; null if that
     * is not asked of this measurement, or if there is one size only.
     */
    @Nullable Double slope() {
      if (measurement.each() == null || values.size() < 2) {
        return null;
      }
      double meanSize = values.keySet().stream().mapToLong(Long::longValue).average().orElseThrow();
      double meanValue =
          values.values().stream().mapToDouble(Double::doubleValue).average().orElseThrow();
      double together = 0;
      double ofSizes = 0;
      for (Map.Entry<Long, Double> entry : values.entrySet()) {
        double size = entry.getKey() - meanSize;
        together += size * (entry.getValue() - meanValue);
        ofSizes += size * size;
      }
      return together / ofSizes;
    }

    /** Returns the value of the largest size divided by that of the smallest; null without both. */
    @Nullable Double ratio() {
      return values.size() < 2 ? null : of(values.lastKey()) / of(values.firstKey());
    }

    private double of(long size) {
      return Objects.requireNonNull(values.get(size));
    }
  }

  /** A measurement that could not be completed. */
  record Failure(Measurement measurement, String database, String reason) {}

  void add(
      Measurement measurement,
      DatabaseKind database,
      String what,
      String unit,
      long size,
      double value) {
    Double unused =
        series
            .computeIfAbsent(
                List.of(measurement.word(), database.word(), what),
                unknown -> new Series(measurement, database.word(), what, unit, new TreeMap<>()))
            .values()
            .put(size, value);
  }

  void failed(Measurement measurement, DatabaseKind database, String reason) {
    failures.add(new Failure(measurement, database.word(), reason));
  }

  /** Adds a note for the readers of the results. */
  void note(String text) {
    notes.add(text);
  }

  List<Series> series() {
    return List.copyOf(series.values());
  }

  List<Failure> failures() {
    return List.copyOf(failures);
  }

  List<String> notes() {
    return List.copyOf(notes);
  }
}
