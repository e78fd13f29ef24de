package io.millrace.jobtracker.store.jdbc.sql;

import io.millrace.common.collection.BoundedMap;
import io.millrace.jobtracker.domain.trigger.Execution;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The executions that were inserted last and that nobody has tried to delete, without their
 * parameters: about a kilobyte each. Whether a row is there is for the database to say; what was
 * inserted by a transaction that rolled back may be remembered, and is never there. Thread-safe.
 */
public final class RecentExecutions {
  /** More than workers of one tracker run at a time, as a rule. */
  static final int MOST = 10_000;

  /** In order of insertion. */
  private final Map<Long, Execution> executions = BoundedMap.byAge(MOST);

  /** Whoever ends one that counts writes the job's row first, and has to know that it counts. */
  public synchronized void remember(Collection<Execution> inserted) {
    for (Execution execution : inserted) {
      if (!execution.counted() && !execution.stopRequested()) {
        executions.put(execution.id(), execution.withParamsLeftInStore());
      }
    }
  }

  public synchronized List<Execution> recall(Collection<Long> ids) {
    List<Execution> known = new ArrayList<>();
    for (long id : ids) {
      @Nullable Execution execution = executions.get(id);
      if (execution != null) {
        known.add(execution);
      }
    }
    return known;
  }

  public synchronized void forget(Collection<Long> ids) {
    for (long id : ids) {
      @Nullable Execution unused = executions.remove(id);
    }
  }
}
