/** Who is compared: one class for each, all made to do the same in a process of its own. */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks.contender;
