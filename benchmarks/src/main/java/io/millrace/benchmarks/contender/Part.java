package io.millrace.benchmarks.contender;

/**
 * What one process of a contender does. Opened and closed for every round, in one process, so that
 * the JVM stays warm. Called by one thread, except where it says otherwise.
 */
public interface Part extends AutoCloseable {

  /**
   * Makes tables in an empty database, or connects.
   *
   * @return where others reach this part; empty if they do not
   */
  String open(Place place) throws Exception;

  @Override
  void close() throws Exception;
}
