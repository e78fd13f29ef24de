/**
 * What Millrace costs, and what others do. Nothing of it is published, and no build measures:
 * {@code scripts/bench} does.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.benchmarks;
