/**
 * What a tracker measures. Rooms do not know it: they tell {@link
 * io.millrace.jobtracker.engine.EngineListener}, and what is counted of rows is counted around the
 * stores. Beside the root and the JDBC store, the only package that knows Micrometer.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.metrics;
