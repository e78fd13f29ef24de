/** Single rooms of the house, measured by JMH. */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks.micro;
