package io.millrace.jobtracker.domain.outcome;

import io.millrace.api.Disposition;
import org.jspecify.annotations.Nullable;

/** How one execution, or one trigger that never ran, ended: the status of a ledger row. */
public enum LedgerStatus {
  SUCCEEDED(Disposition.SUCCEEDED),
  FAILED(Disposition.FAILED),
  DEAD(Disposition.DEAD),
  CANCELLED(Disposition.CANCELLED),
  SKIPPED(Disposition.SKIPPED),
  /** The attempt threw or timed out; another one waits. */
  RETRIED(null),
  /** The job asked to run later; the attempt does not count. */
  POSTPONED(null),
  /**
   * Interrupted by its worker, not received or not started, or its handler is unknown to the
   * worker; the attempt does not count.
   */
  RETURNED(null),
  /** The worker's lease ran out; another attempt waits. */
  RESCUED(null);

  private final @Nullable Disposition disposition;

  LedgerStatus(@Nullable Disposition disposition) {
    this.disposition = disposition;
  }

  /** The trigger's disposition, or null if the trigger goes back to waiting. */
  public @Nullable Disposition disposition() {
    return disposition;
  }

  /** Whether the trigger has ended; true on exactly one ledger row of each trigger. */
  public boolean isFinal() {
    return disposition != null;
  }
}
