package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.report.Measure;

/** One round of one contender, on an empty database. */
@FunctionalInterface
interface Round {

  /** Performs the measurement and passes the values to the sink. */
  void run(Arena arena, Sink sink);

  /** Receives the values. */
  @FunctionalInterface
  interface Sink {
    void add(Measure measure, double value);
  }
}
