package io.millrace.console.api.trigger;

import io.millrace.console.api.Counting;
import io.millrace.console.api.Cursor;
import io.millrace.console.api.JobFinder;
import io.millrace.console.api.ListCount;
import io.millrace.console.api.Paths;
import io.millrace.console.api.TriggerSummary;
import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.ListCounts;
import io.millrace.jobtracker.store.OneShotStore;
import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.WaitingStore.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The routes for waiting triggers. */
public record TriggerRoutes(
    WaitingStore waiting,
    OneShotStore oneShots,
    ListCounts counts,
    Counting counting,
    JobFinder finder,
    Clock clock) {
  /** The most rows that one page of one-shots examines, however small the limit. */
  private static final int LOOK_AT = 5_000;

  private static final Param<String> OF_TASK =
      Param.query("task", ParamForm.text(128), "Only those of this task id, by planned time");

  /**
   * A page of the waiting triggers of a node group, ordered by priority and due time, in which they
   * are claimed; within a priority, held triggers come last. For one task id, ordered by planned
   * instant.
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
            .with(OF_TASK, Paths.AFTER, Paths.LIMIT)
            .answers(TriggerPage.class, this::list),
        triggers
            .get(
                "/one-shots",
                "listWaitingOneShots",
                "One-shots of a node group that wait, ordered by task id")
            .with(Paths.OF_PREFIX, Paths.OF_HANDLER, Paths.AFTER, Paths.LIMIT)
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
    return counting.answer(call, bound -> counts.waiting(group, bound));
  }

  private Object countOneShots(Call call) {
    String group = call.get(Paths.GROUP);
    finder.requireGroup(group);
    String prefix = call.find(Paths.OF_PREFIX).orElse(null);
    String handler = call.find(Paths.OF_HANDLER).orElse(null);
    return counting.answer(call, bound -> counts.oneShots(group, prefix, handler, bound));
  }

  private Object listOneShots(Call call) {
    String group = call.get(Paths.GROUP);
    finder.requireGroup(group);
    String above = call.find(Paths.AFTER).map(text -> Cursor.read(text, 1).text(0)).orElse("");
    OneShotStore.Part<WaitingTrigger> part =
        oneShots.readWaiting(
            new OneShotStore.Range(
                group,
                call.find(Paths.OF_PREFIX).orElse(null),
                above,
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
    List<WaitingTrigger> rows =
        task == null
            ? inTurn(group, after, limit)
            : waiting.readByTask(group, Cursor.readKey(after, task), limit);
    long now = clock.millis();
    return new TriggerPage(
        rows.stream().map(row -> TriggerSummary.of(row, now)).toList(),
        rows.size() < limit ? null : cursor(rows.get(limit - 1), task != null));
  }

  private static String cursor(WaitingTrigger last, boolean ofTask) {
    return ofTask
        ? Cursor.of(last.key())
        : Cursor.of(Level.numberOf(last.lane(), last.priority()), last.dueAt(), last.id());
  }

  private List<WaitingTrigger> inTurn(String group, @Nullable String after, int limit) {
    WaitingOrder order = new WaitingOrder(waiting);
    if (after == null) {
      return order.first(group, limit);
    }
    Cursor place = Cursor.read(after, 3);
    return order.behind(group, place.count(0), place.number(1), place.number(2), limit);
  }
}
