package io.millrace.benchmarks.contender;

import java.util.List;

/** A part that jobs are submitted through. Thread-safe once it is open. */
public interface Submitter extends Part {

  /** Stores one job; returns when its commit is acknowledged. */
  void submit(BenchJob job) throws Exception;

  /** Stores jobs as the contender likes to have many; returns when all are acknowledged. */
  void submitAll(List<BenchJob> jobs) throws Exception;
}
