package io.millrace.spring.internal.embedded;

/** A tracker that has been started, with or without a console. */
interface RunningTracker extends AutoCloseable {

  /** Returns the address for clients and workers, as host:port. */
  String address();

  @Override
  void close();
}
