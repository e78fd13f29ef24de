/** Measures how the system behaves with more rows, node groups, workers and trackers. */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks.scale;
