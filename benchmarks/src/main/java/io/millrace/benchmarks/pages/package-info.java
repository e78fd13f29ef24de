/** What operators' pages cost beside few rows and beside many. */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks.pages;
