/**
 * Runs the jobs of an application in its tests: the engine of a tracker over a database in memory,
 * workers and clients in the same process, and a clock that the test moves. {@link
 * io.millrace.test.TestMillrace} is the place to begin.
 */
@NullMarked
package io.millrace.test;

import org.jspecify.annotations.NullMarked;
