/**
 * Starting and closing: in order, bounded, and once; and the order in which tasks run.
 *
 * <p>What was started is closed, in the reverse order, whatever else fails; closing never waits for
 * ever. Threads have names, and what kills one is logged.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.common.lifecycle;
