/**
 * Saves requests that no tracker answers on the disk, and delivers them later. {@code JobOutbox}
 * writes and removes entries through an {@code OutboxPump}. {@code HeldRequests} records which
 * requests are held, in which order. {@code OutboxDelivery} reads entries and sends them through an
 * {@code OutboxSender}. {@code DeliveryNotifier} notifies the listener of the outcomes.
 *
 * <p>Invariants: a request that is reported as saved is on the disk. Requests of one key reach a
 * tracker in the order in which the application made them: while one of them is saved, later ones
 * are saved behind it. A request leaves the disk only after its answer, or when it is given up.
 */
@NullMarked
package io.millrace.jobclient.internal.outbox;

import org.jspecify.annotations.NullMarked;
