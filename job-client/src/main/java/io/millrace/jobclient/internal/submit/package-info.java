/**
 * Sends jobs to a tracker. {@code SubmitPipeline} accepts a job once there is room. {@code
 * OpenSubmissions} holds it in its order, {@code SubmitSender} sends it, and {@code SubmitNotifier}
 * completes its future. {@code SubmitExpiry} ends it when its time is over. {@code OutboxSaver}
 * hands it over to the outbox, if there is one.
 *
 * <p>Invariants: a job keeps its submission id on every resend, so that sending it again never
 * stores it twice. Two jobs of one key are never under way at the same time, so that a resend
 * cannot overtake a newer submit. The jobs that are accepted and not yet answered are bounded in
 * count and in bytes; a thread that adds a job beyond the bound waits.
 */
@NullMarked
package io.millrace.jobclient.internal.submit;

import org.jspecify.annotations.NullMarked;
