/** What a round measures. */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks.measure;
