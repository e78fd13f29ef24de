/** Evaluates the values of a run: medians, ratios, a table, a file. */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks.report;
