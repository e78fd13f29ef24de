/** The databases for the contenders. */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks.database;
