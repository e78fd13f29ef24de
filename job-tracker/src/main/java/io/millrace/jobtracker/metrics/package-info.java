/**
 * The metrics of a tracker. The packages of the engine do not depend on it: they report to {@link
 * io.millrace.jobtracker.engine.EngineListener}, and so does the store with the rows that were
 * committed. Apart from the root package and the JDBC store, this is the only package that uses
 * Micrometer.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.metrics;
