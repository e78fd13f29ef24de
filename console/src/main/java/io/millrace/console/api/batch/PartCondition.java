package io.millrace.console.api.batch;

import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import org.jspecify.annotations.Nullable;

/** What a part that was released does, or how it ended. */
public enum PartCondition {
  /** At a worker, or split itself. */
  RUNNING,
  /** For a worker, or for its next attempt. */
  WAITING,
  SUCCEEDED,
  FAILED,
  DEAD,
  CANCELLED,
  SKIPPED;

  /** Whether the part has ended. */
  boolean isEnd() {
    return this != RUNNING && this != WAITING;
  }

  /** The status of the ledger rows of such parts; null if they have not ended. */
  @Nullable LedgerStatus status() {
    return isEnd() ? LedgerStatus.valueOf(name()) : null;
  }
}
