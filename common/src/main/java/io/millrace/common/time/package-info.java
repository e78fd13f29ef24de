/**
 * Time: the clocks, the one wheel of the process, and the timer that repeats a duty.
 *
 * <p>Nothing outside this package reads the clocks of the machine, and nothing inside it is a
 * record: what must outlast the process is stored before it is put on a timer. An expiry only hands
 * its task over to an executor; a task never starts before its time.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.common.time;
