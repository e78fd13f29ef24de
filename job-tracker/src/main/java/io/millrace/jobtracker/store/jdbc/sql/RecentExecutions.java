package io.millrace.jobtracker.store.jdbc.sql;

import io.millrace.internal.collection.BoundedMap;
import io.millrace.jobtracker.domain.trigger.Execution;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The recently inserted executions for which no delete was attempted, without their parameters:
 * about a kilobyte each. Only the database knows whether a row exists: executions of a transaction
 * that rolled back may be remembered too. Thread-safe.
 */
public final class RecentExecutions {
  /**
   * The maximum of remembered executions: usually more than the workers of one tracker run at a
   * time.
   */
  static final int MOST = 10_000;

  /** In order of insertion. */
  private final Map<Long, Execution> executions = BoundedMap.byAge(MOST);

  /**
   * Remembers executions. Omits those that count, because the caller that ends one must know that
   * it counts and write the job's row first; and those with a stop request.
   */
  public synchronized void remember(Collection<Execution> inserted) {
    for (Execution execution : inserted) {
      if (!execution.counted() && !execution.stopRequested()) {
        executions.put(execution.id(), execution.withParamsLeftInStore());
      }
    }
  }

  public synchronized List<Execution> recall(Collection<Long> ids) {
    return ids.stream().map(executions::get).filter(Objects::nonNull).toList();
  }

  public synchronized void forget(Collection<Long> ids) {
    ids.forEach(executions::remove);
  }
}
