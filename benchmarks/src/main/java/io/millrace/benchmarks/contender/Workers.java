package io.millrace.benchmarks.contender;

/** A part that runs jobs, which tell {@link Runs} of it. */
public interface Workers extends Part {

  /** Begins to take jobs. */
  void startWorkers() throws Exception;

  /** Takes no more and waits for those that run. */
  void stopWorkers() throws Exception;
}
