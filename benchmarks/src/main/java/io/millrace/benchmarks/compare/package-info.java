/** The comparison: the rounds run against each database and their order. */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks.compare;
