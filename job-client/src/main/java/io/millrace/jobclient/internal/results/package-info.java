/**
 * Hands the feedback of trackers to the application's listener.
 *
 * <p>Invariant: a result is acknowledged only after the listener has accepted it; a tracker sends
 * all others again later.
 */
@NullMarked
package io.millrace.jobclient.internal.results;

import org.jspecify.annotations.NullMarked;
