package io.millrace.benchmarks.contender;

/** A part that accepts jobs that run once a second while it is open. */
public interface EverySecond extends Part {

  /**
   * Stores this number of jobs; returns when all are acknowledged. Their fire times are spread over
   * the second.
   */
  void submitEverySecond(int jobs) throws Exception;
}
