/**
 * Time: the clocks, the one wheel of the process, and the timer that repeats a duty.
 *
 * <p>Only this package reads the clocks of the machine. Timers keep tasks in memory only: data that
 * must survive the process is stored before a timer is set. An expiry only hands its task over to
 * an executor; a task never starts before its time.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.time;
