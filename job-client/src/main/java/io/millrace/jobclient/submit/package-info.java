/**
 * Sends jobs to a tracker.
 *
 * <p>Invariants: a job keeps its submission id on every resend, so that sending it again never
 * stores it twice. Two jobs of one key are never under way at the same time, so that a resend
 * cannot overtake a newer submit. Jobs taken and not yet answered are bounded in count and in
 * bytes; a thread that adds one beyond the bound waits.
 */
@NullMarked
package io.millrace.jobclient.submit;

import org.jspecify.annotations.NullMarked;
