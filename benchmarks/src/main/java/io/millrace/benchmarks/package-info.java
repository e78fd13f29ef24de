/**
 * Measures the costs of Millrace and its peers. Nothing here is published, and no build measures;
 * only {@code scripts/bench} does.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks;
