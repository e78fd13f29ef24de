/**
 * Starting and closing, in order, with time limits, and once; and executors that keep tasks in
 * order.
 *
 * <p>Everything that was started is closed, in the reverse order, even if a close fails; closing
 * never waits for ever. Threads have names, and an exception that ends a thread is logged.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.lifecycle;
