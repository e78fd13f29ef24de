package io.millrace.console.api.bulk;

import io.millrace.api.CancelResult;
import io.millrace.console.api.OperatorRequests;
import io.millrace.console.http.Caller;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.ListCounts.Bound;
import io.millrace.jobtracker.store.ListCounts.Count;
import io.millrace.jobtracker.store.OneShotStore;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.console.BulkChangeStore.BulkChange;
import io.millrace.jobtracker.store.console.BulkChangeStore.Failure;
import io.millrace.jobtracker.store.console.BulkChangeStore.Filter;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One-shots that wait in a node group. They are cancelled. */
record OneShotTarget(Stores stores, OperatorRequests requests)
    implements BulkTarget<WaitingTrigger> {
  /** The most rows that a page examines. */
  private static final int LOOK_AT = 5_000;

  private static String groupOf(BulkChange change) {
    return Objects.requireNonNull(change.request().filter().nodeGroup());
  }

  @Override
  public Count count(BulkChange change, Bound bound) {
    Filter filter = change.request().filter();
    return stores.counts().oneShots(groupOf(change), filter.prefix(), filter.handler(), bound);
  }

  @Override
  public Page<WaitingTrigger> read(BulkChange change, int limit) {
    Filter filter = change.request().filter();
    String reached = change.progress().reached();
    OneShotStore.Part<WaitingTrigger> part =
        stores
            .oneShots()
            .readWaiting(
                new OneShotStore.Range(
                    groupOf(change),
                    filter.prefix(),
                    reached == null ? "" : reached,
                    limit,
                    LOOK_AT));
    return new Page<>(
        part.rows().stream()
            .filter(row -> row.generatedAt() <= change.request().at())
            .filter(row -> filter.handler() == null || filter.handler().equals(handlerOf(row)))
            .toList(),
        part.next());
  }

  private static @Nullable String handlerOf(WaitingTrigger row) {
    TriggerSpec spec = row.spec();
    return spec == null ? null : spec.handler();
  }

  /** One that has ended meanwhile needs no cancel. */
  @Override
  public Begun begin(BulkChange change, Caller caller, WaitingTrigger row) {
    CompletionStage<CancelResult> answer =
        requests.send(caller, "", new CancelRequest(groupOf(change), row.key().taskId()));
    return () -> {
      CancelResult unused = OperatorRequests.await(answer);
      return null;
    };
  }

  @Override
  public Failure failure(WaitingTrigger row, String why) {
    return new Failure(row.key().taskId(), null, row.key().taskId(), null, why);
  }
}
