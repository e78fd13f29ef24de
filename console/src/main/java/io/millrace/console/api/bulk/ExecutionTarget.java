package io.millrace.console.api.bulk;

import io.millrace.api.TerminateResult;
import io.millrace.console.api.Cursor;
import io.millrace.console.api.OperatorRequests;
import io.millrace.console.http.Caller;
import io.millrace.internal.protocol.TerminateRequest;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.store.ExecutingStore;
import io.millrace.jobtracker.store.ListCounts;
import io.millrace.jobtracker.store.ListCounts.Bound;
import io.millrace.jobtracker.store.ListCounts.Count;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.console.BulkChangeStore.BulkChange;
import io.millrace.jobtracker.store.console.BulkChangeStore.Failure;
import io.millrace.jobtracker.store.console.BulkChangeStore.Filter;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Executions under way, then runs that were split. They are terminated. */
record ExecutionTarget(Stores stores, OperatorRequests requests) implements BulkTarget<Execution> {
  /** The most executions that a page examines. */
  private static final int LOOK_AT = 5_000;

  private static final String RUNNING = "running";
  private static final String SPLIT = "split";

  @Override
  public Count count(BulkChange change, Bound bound) {
    Filter filter = change.request().filter();
    return stores
        .counts()
        .running(new ListCounts.Running(filter.nodeGroup(), filter.task(), filter.worker()), bound);
  }

  @Override
  public Page<Execution> read(BulkChange change, int limit) {
    Filter filter = change.request().filter();
    Page<Execution> page =
        filter.nodeGroup() != null && filter.task() != null
            ? ofTask(filter.nodeGroup(), filter.task(), change.progress().reached(), limit)
            : ofAll(filter, change.progress().reached(), limit);
    return new Page<>(
        page.items().stream().filter(run -> run.claimedAt() <= change.request().at()).toList(),
        page.next());
  }

  private Page<Execution> ofTask(String group, String task, @Nullable String reached, int limit) {
    List<Execution> runs = stores.runs().readByTask(group, Cursor.readKey(reached, task), limit);
    return new Page<>(
        runs, runs.size() < limit ? null : Cursor.of(runs.get(runs.size() - 1).key()));
  }

  /** No worker holds a run that was split. */
  private Page<Execution> ofAll(Filter filter, @Nullable String reached, int limit) {
    Cursor cursor = reached == null ? null : Cursor.read(reached, 2);
    if (cursor != null && cursor.text(0).equals(SPLIT)) {
      return split(filter.nodeGroup(), cursor.number(1), limit);
    }
    ExecutingStore.Found found =
        stores
            .executing()
            .search(
                new ExecutingStore.Search(filter.nodeGroup(), filter.worker()),
                cursor == null ? 0 : cursor.number(1),
                limit,
                LOOK_AT);
    if (found.next() != null) {
      return new Page<>(found.executions(), Cursor.of(RUNNING, found.next()));
    }
    return new Page<>(found.executions(), filter.worker() == null ? Cursor.of(SPLIT, 0) : null);
  }

  private Page<Execution> split(@Nullable String group, long above, int limit) {
    List<Execution> runs =
        stores.batchViews().list(group, above, limit).stream().map(Batch::run).toList();
    return new Page<>(
        runs, runs.size() < limit ? null : Cursor.of(SPLIT, runs.get(runs.size() - 1).id()));
  }

  /** One that has ended meanwhile needs no stop. */
  @Override
  public Begun begin(BulkChange change, Caller caller, Execution run) {
    CompletionStage<TerminateResult> answer =
        requests.send(
            caller, "", new TerminateRequest(run.nodeGroup(), run.key().taskId(), run.id()));
    return () -> {
      TerminateResult unused = OperatorRequests.await(answer);
      return null;
    };
  }

  @Override
  public Failure failure(Execution run, String why) {
    String name = run.nodeGroup() + "/" + run.key().taskId();
    return new Failure(name, run.nodeGroup(), run.key().taskId(), run.id(), why);
  }
}
