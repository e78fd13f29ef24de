/** The measuring instruments of a round. */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks.measure;
