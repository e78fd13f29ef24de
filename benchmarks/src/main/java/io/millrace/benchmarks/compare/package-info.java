/** The comparison: which rounds are run against which database, in which order. */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks.compare;
