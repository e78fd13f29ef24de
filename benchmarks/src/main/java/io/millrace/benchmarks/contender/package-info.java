/** The contenders: one class for each, all performing the same task in processes of their own. */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks.contender;
