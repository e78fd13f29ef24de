/**
 * A bounded store on the local disk for data that waits for a tracker: jobs of a client, results of
 * a worker. Entries survive a kill of the process. {@link io.millrace.internal.outbox.OutboxPump}
 * writes and removes them on a disk executor.
 *
 * <p>The only package that uses H2's MVStore.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.outbox;
