/**
 * Carries jobs to a tracker.
 *
 * <p>Invariants: a job keeps the submission id it was given first on every resend, so that sending
 * again never stores it twice. Two jobs of one key are never under way at the same time, so that a
 * resend cannot overtake a newer submit. Jobs taken and not yet answered are bounded in count and
 * in bytes; whoever wants to add one waits.
 */
@NullMarked
package io.millrace.jobclient.submit;

import org.jspecify.annotations.NullMarked;
