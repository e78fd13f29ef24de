package io.millrace.console.api.job;

import io.millrace.console.api.HistoryItem;
import io.millrace.console.api.TriggerSummary;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The waiting, running and ended triggers of a job.
 *
 * @param generatedUntil triggers planned up to this instant are generated; null for a one-shot
 * @param generateAt when more triggers are generated; null if that is not planned
 * @param exhausted whether no fire time is left
 * @param pause null unless it is paused
 * @param executing executions in progress, counted up to 1,000
 * @param running triggers that have begun and not ended, pending retries included; null if runs of
 *     the job may overlap
 * @param queued triggers that wait for their turn; null if runs of the job may overlap
 * @param nextFireAt the next fire time of its schedule; null unless it is active and the time can
 *     be predicted
 * @param nextTrigger the earliest waiting trigger; null if there is none
 * @param lastEnd its latest ledger entry; null if there is none
 */
public record JobProgress(
    @Nullable Instant generatedUntil,
    @Nullable Instant generateAt,
    boolean exhausted,
    @Nullable JobPause pause,
    int executing,
    @Nullable Integer running,
    @Nullable Integer queued,
    @Nullable Instant nextFireAt,
    @Nullable TriggerSummary nextTrigger,
    @Nullable HistoryItem lastEnd) {

  static JobProgress ofOneShot(
      boolean executing, @Nullable TriggerSummary waiting, @Nullable HistoryItem lastEnd) {
    return new JobProgress(
        null, null, false, null, executing ? 1 : 0, null, null, null, waiting, lastEnd);
  }
}
