/** Benchmarks of single components, measured by JMH. */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks.micro;
