package io.millrace.benchmarks.contender;

/** A part that runs jobs, which report to {@link Runs}. */
public interface Workers extends Part {

  /** Starts taking jobs. */
  void startWorkers() throws Exception;

  /** Stops taking jobs and waits for running ones. */
  void stopWorkers() throws Exception;
}
