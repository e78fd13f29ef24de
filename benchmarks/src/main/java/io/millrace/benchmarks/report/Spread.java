package io.millrace.benchmarks.report;

import java.util.List;

/**
 * The spread of the values of one contender's rounds.
 *
 * @param rounds the number of rounds
 */
public record Spread(double median, double min, double max, int rounds) {

  /** Computes the spread of values in any order; requires at least one. */
  public static Spread of(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("there is no value");
    }
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    double median =
        sorted.size() % 2 == 1
            ? sorted.get(middle)
            : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    return new Spread(median, sorted.get(0), sorted.get(sorted.size() - 1), sorted.size());
  }
}
