/**
 * Saves requests that no tracker answers on disk, and delivers them later. {@code OutboxWriter}
 * writes and removes, {@code HeldRequests} knows what is held and in which order, {@code
 * OutboxDelivery} reads and sends through an {@code OutboxSender}, and {@code DeliveryNotifier}
 * notifies the listener of the outcomes; {@code JobOutbox} runs them in passes.
 *
 * <p>Invariants: a request that is reported as saved is on the disk. Requests of one key reach a
 * tracker in the order in which they were made: while one of them is saved, later ones are saved
 * behind it. A request leaves the disk only after its answer.
 */
@NullMarked
package io.millrace.jobclient.outbox;

import org.jspecify.annotations.NullMarked;
