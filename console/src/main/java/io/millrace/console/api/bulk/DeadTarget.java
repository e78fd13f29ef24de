package io.millrace.console.api.bulk;

import io.millrace.console.api.Cursor;
import io.millrace.console.api.OperatorRequests;
import io.millrace.console.http.Caller;
import io.millrace.console.http.Problem.Kind;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.store.DeadStore;
import io.millrace.jobtracker.store.DeadStore.Place;
import io.millrace.jobtracker.store.ListCounts.Bound;
import io.millrace.jobtracker.store.ListCounts.Count;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.console.BulkChangeStore.Action;
import io.millrace.jobtracker.store.console.BulkChangeStore.BulkChange;
import io.millrace.jobtracker.store.console.BulkChangeStore.Failure;
import io.millrace.jobtracker.store.console.BulkChangeStore.Filter;
import io.millrace.jobtracker.store.console.BulkChangeStore.Options;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Open dead triggers, the first to die first. They are replayed or discarded. */
record DeadTarget(Stores stores, OperatorRequests requests, Clock clock)
    implements BulkTarget<DeadTrigger> {
  /** The most rows that a page examines. */
  private static final int LOOK_AT = 5_000;

  private static DeadStore.Query query(BulkChange change) {
    Filter filter = change.request().filter();
    long requested = change.request().at() + 1;
    return new DeadStore.Query(
        filter.nodeGroup(),
        filter.prefix(),
        DeadState.OPEN,
        filter.from() == null ? Long.MIN_VALUE : filter.from(),
        filter.to() == null ? requested : Math.min(requested, filter.to()));
  }

  @Override
  public Count count(BulkChange change, Bound bound) {
    return stores.counts().dead(query(change), bound);
  }

  @Override
  public Page<DeadTrigger> read(BulkChange change, int limit) {
    String reached = change.progress().reached();
    Cursor cursor = reached == null ? null : Cursor.read(reached, 2);
    Place behind = cursor == null ? null : new Place(cursor.number(0), cursor.number(1));
    DeadStore.Found found =
        stores.dead().search(query(change), AgeOrder.OLDEST_FIRST, behind, limit, LOOK_AT);
    Place last = found.last();
    return new Page<>(found.dead(), last == null ? null : Cursor.of(last.diedAt(), last.id()));
  }

  @Override
  public Begun begin(BulkChange change, Caller caller, DeadTrigger dead) {
    if (change.request().action() == Action.DISCARD_DEAD) {
      return () -> {
        Settlement settlement =
            new Settlement(clock.millis(), OperatorRequests.nameOf(caller), null);
        boolean unused = stores.dead().settle(dead.id(), settlement);
        return null;
      };
    }
    Options options = change.request().options();
    CompletionStage<ReplayResult> answer =
        requests.replay(caller, dead.id(), options.params(), options.keepSucceeded());
    return () -> refusal(OperatorRequests.await(answer));
  }

  /** One that was replayed or deleted meanwhile needs no replay. */
  private static @Nullable String refusal(ReplayResult result) {
    return switch (result.status()) {
      case REPLAYED, REPLAYED_BEFORE, NOT_FOUND -> null;
      case REFUSED -> result.message();
      case BAD_PARAMS -> throw Kind.REJECTED.because(result.message());
    };
  }

  @Override
  public Failure failure(DeadTrigger dead, String why) {
    String name = dead.nodeGroup() + "/" + dead.key().taskId();
    return new Failure(name, dead.nodeGroup(), dead.key().taskId(), dead.id(), why);
  }
}
