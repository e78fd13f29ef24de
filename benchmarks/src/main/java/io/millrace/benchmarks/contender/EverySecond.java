package io.millrace.benchmarks.contender;

/** A part that jobs can be submitted through that run once a second, for as long as it is open. */
public interface EverySecond extends Part {

  /**
   * Stores so many of them; returns when all are acknowledged. Their fire times are spread over the
   * second.
   */
  void submitEverySecond(int jobs) throws Exception;
}
