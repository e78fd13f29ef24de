/** The processes of the contenders and the commands that they receive. */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks.child;
