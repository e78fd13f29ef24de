/**
 * What Millrace costs, measured by JMH. Nothing of it is published, and no build measures: {@code
 * scripts/bench} does.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks;
