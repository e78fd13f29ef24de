/** The databases that all contenders are given. */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks.database;
