/** Measures the response times of operators' pages with few and with many rows. */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks.pages;
