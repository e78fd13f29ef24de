package io.millrace.console.access;

import io.millrace.console.http.Authenticator.Outcome;
import io.millrace.console.http.Caller;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.console.AuditStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records the changes that operators request in the audit. Thread-safe; may block. */
public record ChangeRecord(AuditStore audit, IdSequence ids, Clock clock) {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeRecord.class);

  /** Records a change before it is made. If this fails, the change is not made. */
  public Outcome asked(Caller caller, String operation, String target, @Nullable String detail) {
    long id = append(caller, operation, target, detail, null, null);
    return (status, why) -> conclude(id, status, why);
  }

  /** Adds an entry; returns its id. */
  long append(
      Caller caller,
      String operation,
      String target,
      @Nullable String detail,
      @Nullable Integer status,
      @Nullable String outcome) {
    long now = clock.millis();
    long id = ids.next(now);
    audit.append(
        new AuditStore.Entry(
            id,
            now,
            caller.name(),
            caller.rights().role(),
            caller.address(),
            operation,
            target,
            ChangedJob.of(target, detail),
            detail,
            status,
            outcome));
    return id;
  }

  /**
   * Records the outcome. The change is made or refused already, so a failure here does not alter
   * the answer.
   */
  private void conclude(long id, int status, @Nullable String why) {
    try {
      audit.conclude(id, status, why);
    } catch (RuntimeException e) {
      LOG.warn("audit: the outcome of entry {} could not be written: {}", id, status, e);
    }
  }
}
