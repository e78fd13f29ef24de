package io.millrace.benchmarks.contender;

import java.util.List;

/** A part that accepts jobs. Thread-safe once it is open. */
public interface Submitter extends Part {

  /** Stores one job; returns when its commit is acknowledged. */
  void submit(BenchJob job) throws Exception;

  /**
   * Stores jobs with the contender's preferred method for many jobs; returns when all are
   * acknowledged.
   */
  void submitAll(List<BenchJob> jobs) throws Exception;
}
