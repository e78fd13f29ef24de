package io.millrace.console.api.batch;

import io.millrace.api.TerminateResult;
import io.millrace.console.api.Cursor;
import io.millrace.console.api.HistoryItem;
import io.millrace.console.api.JobFinder;
import io.millrace.console.api.Languages;
import io.millrace.console.api.OperatorRequests;
import io.millrace.console.api.PartTally;
import io.millrace.console.api.Paths;
import io.millrace.console.api.history.ExecutionRoutes.Terminated;
import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.console.http.Scope;
import io.millrace.console.http.Scope.Referred;
import io.millrace.internal.codec.Flattened;
import io.millrace.internal.protocol.TerminateRequest;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.batch.BatchViewStore;
import io.millrace.jobtracker.store.order.AgeOrder;
import io.millrace.jobtracker.store.order.Direction;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Routes for runs that were split into parts. */
public record BatchRoutes(Stores stores, JobFinder finder, OperatorRequests requests) {
  private static final Param<Long> ID = Param.path("id", ParamForm.id(), "Id of the batch");
  private static final Resource BATCHES = Resource.of("Batches", Paths.V1 + "/batches");
  private static final Resource BATCH = BATCHES.below("/{id}", ID);
  private static final Param<PartCondition> STATE =
      Param.query("state", ParamForm.choice(PartCondition.class), "Only parts in this state");

  /** The most rows of the ledger that are counted of a run that has ended. */
  private static final int MOST_COUNTED = 10_000;

  /** The order of the parts of a batch that run, and of those that wait. */
  enum PartOrder {
    NUMBER(Direction.ASCENDING),
    NUMBER_DESCENDING(Direction.DESCENDING);

    private final Direction direction;

    PartOrder(Direction direction) {
      this.direction = direction;
    }
  }

  private static final Param<PartOrder> PART_ORDER =
      Param.query(
          "order",
          ParamForm.choice(PartOrder.class),
          PartOrder.NUMBER,
          "The order of those that run, and of those that wait; 'after' goes on in the same order."
              + " Those that have ended have an order of their own");

  /** A page of batches under way, in order of the time when they were claimed. */
  public record BatchPage(List<BatchSummary> items, @Nullable String next) {}

  /**
   * A batch.
   *
   * @param ended the end of its run; null while it is under way
   * @param isCut whether its parts were counted up to a bound only, and may be more
   */
  public record BatchDetail(
      @Flattened BatchSummary batch, @Nullable HistoryItem ended, boolean isCut) {}

  /**
   * A page of parts: those that run, then those that wait, then those that have ended, the latest
   * first. Parts that are not released yet have no row. A page may hold fewer items than the limit,
   * or none, although a next page exists.
   */
  public record PartPage(List<PartSummary> items, @Nullable String next) {}

  public List<Route> routes() {
    Scope scope =
        Scope.ofIds(
            call -> {
              long id = call.get(ID);
              return List.of(new Referred(finder.groupOfExecution(id), noBatch(id)));
            });
    return List.of(
        BATCHES
            .get("", "listBatches", "Runs under way that were split into parts")
            .with(Paths.OF_GROUP, Paths.FROM_OLDEST, Paths.AFTER, Paths.LIMIT)
            .answers(BatchPage.class, this::list),
        BATCH
            .get("", "getBatch", "A run that was split, under way or ended")
            .within(scope)
            .with(Languages.LANGUAGE)
            .answers(BatchDetail.class, this::get),
        BATCH
            .get("/parts", "listParts", "The parts of a run that was split")
            .within(scope)
            .with(STATE, Languages.LANGUAGE, PART_ORDER, Paths.AFTER, Paths.LIMIT)
            .answers(PartPage.class, this::parts),
        BATCH
            .post(
                "/terminate",
                "terminateBatch",
                "Terminates a run that was split: parts that wait are cancelled, those that run are"
                    + " told to stop")
            .within(scope)
            .answers(Terminated.class, this::terminate));
  }

  private Object list(Call call) {
    String group = call.find(Paths.OF_GROUP).orElse(null);
    if (group != null) {
      finder.requireGroup(group);
    }
    AgeOrder order = call.get(Paths.FROM_OLDEST);
    long behind =
        call.find(Paths.AFTER)
            .map(text -> Cursor.read(text, 1).number(0))
            .orElse(Paths.beginning(order));
    int limit = call.get(Paths.LIMIT);
    List<Batch> batches = stores.batchViews().list(group, order, behind, limit);
    return new BatchPage(
        summaries(batches), batches.size() < limit ? null : Cursor.of(batches.get(limit - 1).id()));
  }

  private List<BatchSummary> summaries(List<Batch> batches) {
    Map<Long, PartTally> tallies = PartTally.of(batches, stores.batchViews());
    return batches.stream()
        .flatMap(
            batch ->
                Optional.ofNullable(tallies.get(batch.id()))
                    .map(tally -> BatchSummary.of(batch, tally))
                    .stream())
        .toList();
  }

  private Object get(Call call) {
    long id = call.get(ID);
    Optional<Batch> known = find(id);
    return known.isPresent()
        ? new BatchDetail(summaries(List.of(known.get())).get(0), null, false)
        : ofEnded(ended(id), call.get(Languages.LANGUAGE));
  }

  private BatchDetail ofEnded(LedgerEntry run, Locale language) {
    BatchViewStore.Ends parts = stores.batchViews().countEnds(run.id(), MOST_COUNTED);
    return new BatchDetail(
        BatchSummary.ended(run, PartTally.ofEnds(parts.parts())),
        HistoryItem.of(List.of(run), stores.results(), language).get(0),
        parts.isCut());
  }

  private Object parts(Call call) {
    long id = call.get(ID);
    Optional<Batch> known = find(id);
    String group = known.isPresent() ? known.get().nodeGroup() : ended(id).nodeGroup();
    return new PartPages(
            stores,
            stores.console().fleet().workers(),
            call.get(PART_ORDER).direction,
            call.get(Languages.LANGUAGE))
        .read(
            group,
            id,
            call.find(STATE).orElse(null),
            known.isEmpty(),
            call.find(Paths.AFTER).orElse(null),
            call.get(Paths.LIMIT));
  }

  private Optional<Batch> find(long id) {
    return stores.batchViews().find(List.of(id)).stream().findFirst();
  }

  /** The end of a run that was split; throws a problem that says where else to look. */
  private LedgerEntry ended(long id) {
    List<LedgerEntry> row = stores.ledger().find(List.of(id));
    if (!row.isEmpty() && !stores.ledger().findLatest(id, 0, Long.MAX_VALUE, 1).isEmpty()) {
      return row.get(0);
    }
    if (!row.isEmpty() || !stores.executing().find(List.of(id)).isEmpty()) {
      throw Kind.NOT_FOUND.because(
          "%d is an execution that was not split into parts: see /executions/%d".formatted(id, id));
    }
    throw Kind.NOT_FOUND.because(noBatch(id));
  }

  private static String noBatch(long id) {
    return "there is no batch %d, and the ledger has none: /batches lists those under way"
        .formatted(id);
  }

  private Object terminate(Call call) throws Exception {
    long id = call.get(ID);
    Batch batch = find(id).orElse(null);
    if (batch == null) {
      throw endedAlready(ended(id));
    }
    if (batch.state() == BatchState.STAGED) {
      throw Kind.CONFLICT.because(
          "batch %d is not open yet: execution %d stores its parts; terminate that one"
              .formatted(id, id));
    }
    TerminateResult result =
        requests.ask(call, new TerminateRequest(batch.nodeGroup(), batch.run().key().taskId(), id));
    if (result.running() == 0) {
      throw endedAlready(ended(id));
    }
    return new Terminated(result.running());
  }

  private static RuntimeException endedAlready(LedgerEntry run) {
    return Kind.CONFLICT.because(
        "batch %d has already ended: its run is %s, see /executions/%d"
            .formatted(run.id(), run.status(), run.id()));
  }
}
