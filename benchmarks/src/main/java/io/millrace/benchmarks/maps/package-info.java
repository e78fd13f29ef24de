/** Measures runs of many parts beside as many jobs. */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks.maps;
