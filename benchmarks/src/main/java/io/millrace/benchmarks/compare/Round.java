package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.report.Measure;

/** One round of one contender, over an empty database. */
@FunctionalInterface
interface Round {

  /** Does what is measured, and tells what it came to. */
  void run(Arena arena, Sink sink);

  /** Who is told. */
  @FunctionalInterface
  interface Sink {
    void add(Measure measure, double value);
  }
}
