/** Jobs that are enqueued in the transactions of the application. */
@org.jspecify.annotations.NullMarked
package io.millrace.spring.internal.enqueue;
