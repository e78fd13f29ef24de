package io.millrace.benchmarks.contender;

/**
 * The role of one process of a contender. Opened and closed for every round in the same process, so
 * that the JVM stays warm. Called by one thread, unless stated otherwise.
 */
public interface Part extends AutoCloseable {

  /**
   * Creates tables in an empty database, or connects.
   *
   * @return the address for other parts; empty if they do not connect to this part
   */
  String open(Place place) throws Exception;

  @Override
  void close() throws Exception;
}
