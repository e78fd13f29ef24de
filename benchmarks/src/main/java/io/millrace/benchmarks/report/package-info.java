/** What the figures come to: medians, ratios, a table, a file. */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks.report;
