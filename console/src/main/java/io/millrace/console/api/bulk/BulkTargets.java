package io.millrace.console.api.bulk;

import io.millrace.console.access.ChangeRecord;
import io.millrace.console.api.OperatorRequests;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.console.BulkChangeStore.Action;

/** Finds what the bulk changes of an action change. Thread-safe. */
record BulkTargets(Stores stores, OperatorRequests requests, ChangeRecord audit, Clock clock) {
  BulkTarget<?> of(Action action) {
    return switch (action) {
      case PAUSE_JOBS, RESUME_JOBS, CANCEL_JOBS -> new JobTarget(stores, requests, audit);
      case CANCEL_ONE_SHOTS -> new OneShotTarget(stores, requests);
      case TERMINATE_EXECUTIONS -> new ExecutionTarget(stores, requests);
      case REPLAY_DEAD, DISCARD_DEAD -> new DeadTarget(stores, requests, clock);
    };
  }
}
