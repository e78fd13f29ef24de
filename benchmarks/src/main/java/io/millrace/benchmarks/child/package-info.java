/** The processes that the contenders run in, and how they are told what to do. */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks.child;
