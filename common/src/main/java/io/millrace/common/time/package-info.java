/**
 * Time: the clocks, the one wheel of the process, and the timer that repeats a duty. Nothing
 * outside this package reads the clocks of the machine.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.common.time;
