package io.millrace.console.api.trigger;

import io.millrace.console.api.Cursor;
import io.millrace.console.api.JobFinder;
import io.millrace.console.api.Paths;
import io.millrace.console.api.TriggerSummary;
import io.millrace.console.api.list.Counting;
import io.millrace.console.api.list.ListCount;
import io.millrace.console.api.list.NameOrder;
import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.OneShotStore;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.WaitingStore.DuePlace;
import io.millrace.jobtracker.store.WaitingStore.Level;
import io.millrace.jobtracker.store.order.Direction;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The routes for waiting triggers. */
public record TriggerRoutes(Stores stores, Counting counting, JobFinder finder, Clock clock) {
  /** The most rows that one page of one-shots examines, however small the limit. */
  private static final int LOOK_AT = 5_000;

  private static final Param<String> OF_TASK =
      Param.query("task", ParamForm.text(128), "Only those of this task id, by planned time");

  /** The order of a list of waiting triggers. */
  enum Order {
    /** The order in which they are claimed. */
    TURN,
    /** By due time, the earliest first; held triggers, which have none, last. */
    DUE,
    /** The other way round. */
    DUE_DESCENDING
  }

  private static final Param<Order> ORDER =
      Param.query(
          "order",
          ParamForm.choice(Order.class),
          Order.TURN,
          "In the order in which they will run, or by due time; 'after' goes on in the same order."
              + " Triggers of one task have an order of their own");

  private static final Param<NameOrder> BY_NAME =
      Param.query(
          "order",
          ParamForm.choice(NameOrder.class),
          NameOrder.NAME,
          "By task id; 'after' goes on in the same order");

  /**
   * A page of the waiting triggers of a node group, ordered by priority and due time, in which they
   * are claimed, unless another order is named; within a priority, held triggers come last. For one
   * task id, ordered by planned instant.
   */
  public record TriggerPage(List<TriggerSummary> items, @Nullable String next) {}

  /**
   * A page of the one-shots of a node group that wait, ordered by task id. A page may hold fewer
   * items than the limit, or none, although a next page exists: a page examines a bounded number of
   * rows.
   */
  public record OneShotPage(List<TriggerSummary> items, @Nullable String next) {}

  public List<Route> routes() {
    Resource triggers = Resource.of("Triggers", Paths.V1 + "/triggers/{group}", Paths.GROUP);
    return List.of(
        triggers
            .get(
                "",
                "listTriggers",
                "Waiting triggers of a node group, including one-shots, in the order in which"
                    + " they will run")
            .with(OF_TASK, ORDER, Paths.AFTER, Paths.LIMIT)
            .answers(TriggerPage.class, this::list),
        triggers
            .get(
                "/one-shots",
                "listWaitingOneShots",
                "One-shots of a node group that wait, ordered by task id")
            .with(Paths.OF_PREFIX, Paths.OF_HANDLER, BY_NAME, Paths.AFTER, Paths.LIMIT)
            .answers(OneShotPage.class, this::listOneShots),
        triggers
            .get("/count", "countTriggers", "The number of waiting triggers of a node group")
            .with(Counting.UP_TO)
            .answers(ListCount.class, this::count),
        triggers
            .get(
                "/one-shots/count",
                "countWaitingOneShots",
                "The number of one-shots of a node group that wait; its triggers are examined in"
                    + " order of task id")
            .with(Paths.OF_PREFIX, Paths.OF_HANDLER, Counting.UP_TO)
            .answers(ListCount.class, this::countOneShots));
  }

  private Object count(Call call) {
    String group = call.get(Paths.GROUP);
    finder.requireGroup(group);
    return counting.answer(call, bound -> stores.counts().waiting(group, bound));
  }

  private Object countOneShots(Call call) {
    String group = call.get(Paths.GROUP);
    finder.requireGroup(group);
    String prefix = call.find(Paths.OF_PREFIX).orElse(null);
    String handler = call.find(Paths.OF_HANDLER).orElse(null);
    return counting.answer(call, bound -> stores.counts().oneShots(group, prefix, handler, bound));
  }

  private Object listOneShots(Call call) {
    String group = call.get(Paths.GROUP);
    finder.requireGroup(group);
    OneShotStore.Part<WaitingTrigger> part =
        stores
            .oneShots()
            .readWaiting(
                new OneShotStore.Range(
                    group,
                    call.find(Paths.OF_PREFIX).orElse(null),
                    call.get(BY_NAME).direction(),
                    call.find(Paths.AFTER).map(text -> Cursor.read(text, 1).text(0)).orElse(null),
                    call.get(Paths.LIMIT),
                    LOOK_AT));
    String handler = call.find(Paths.OF_HANDLER).orElse(null);
    long now = clock.millis();
    String next = part.next();
    return new OneShotPage(
        part.rows().stream()
            .map(row -> TriggerSummary.of(row, now))
            .filter(row -> handler == null || handler.equals(row.handler()))
            .toList(),
        next == null ? null : Cursor.of(next));
  }

  private Object list(Call call) {
    String group = call.get(Paths.GROUP);
    finder.requireGroup(group);
    int limit = call.get(Paths.LIMIT);
    String task = call.find(OF_TASK).orElse(null);
    String after = call.find(Paths.AFTER).orElse(null);
    Order order = call.get(ORDER);
    if (task == null) {
      return switch (order) {
        case TURN -> page(inTurn(group, after, limit), limit, TriggerRoutes::placeInTurn);
        case DUE -> byDue(group, Direction.ASCENDING, after, limit);
        case DUE_DESCENDING -> byDue(group, Direction.DESCENDING, after, limit);
      };
    }
    if (order != Order.TURN) {
      throw Kind.BAD_REQUEST.because(
          "the triggers of a task are ordered by planned instant: leave the query parameter"
              + " 'order' out");
    }
    TriggerKey behind = Cursor.readKey(after, task);
    return page(
        stores.waiting().readByTask(group, behind, limit), limit, row -> Cursor.of(row.key()));
  }

  private TriggerPage page(
      List<WaitingTrigger> rows, int limit, Function<WaitingTrigger, String> cursor) {
    long now = clock.millis();
    return new TriggerPage(
        rows.stream().map(row -> TriggerSummary.of(row, now)).toList(),
        rows.size() < limit ? null : cursor.apply(rows.get(limit - 1)));
  }

  private TriggerPage byDue(String group, Direction direction, @Nullable String after, int limit) {
    DuePlace behind = DuePlace.start(direction);
    if (after != null) {
      Cursor place = Cursor.read(after, 2);
      behind = new DuePlace(place.number(0), place.number(1));
    }
    return page(
        new DueOrder(stores.waiting(), direction).behind(group, behind, limit),
        limit,
        row -> Cursor.of(row.dueAt(), row.id()));
  }

  private static String placeInTurn(WaitingTrigger row) {
    return Cursor.of(Level.numberOf(row.lane(), row.priority()), row.dueAt(), row.id());
  }

  private List<WaitingTrigger> inTurn(String group, @Nullable String after, int limit) {
    WaitingOrder order = new WaitingOrder(stores.waiting());
    if (after == null) {
      return order.first(group, limit);
    }
    Cursor place = Cursor.read(after, 3);
    return order.behind(group, place.count(0), place.number(1), place.number(2), limit);
  }
}
