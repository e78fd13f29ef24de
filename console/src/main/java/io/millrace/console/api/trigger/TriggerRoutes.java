package io.millrace.console.api.trigger;

import io.millrace.common.time.Clock;
import io.millrace.console.api.Cursor;
import io.millrace.console.api.JobFinder;
import io.millrace.console.api.Paths;
import io.millrace.console.api.TriggerSummary;
import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Route;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.WaitingStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The route for waiting triggers. */
public final class TriggerRoutes {
  private static final Param<String> OF_TASK =
      Param.query("task", ParamForm.text(128), "Only those of this task id, by planned time");

  private final WaitingStore waiting;
  private final JobFinder finder;
  private final WaitingOrder order;
  private final Clock clock;

  public TriggerRoutes(Stores stores, Clock clock) {
    this.waiting = stores.waiting();
    this.finder = new JobFinder(stores);
    this.order = new WaitingOrder(stores.waiting());
    this.clock = clock;
  }

  /**
   * A page of the waiting triggers of a node group, ordered by priority and due time, in which they
   * are claimed; within a priority, held triggers come last. For one task id, ordered by planned
   * instant.
   */
  public record TriggerPage(List<TriggerSummary> items, @Nullable String next) {}

  public List<Route> routes() {
    return List.of(
        Route.get(
                Paths.V1 + "/triggers/{group}",
                "listTriggers",
                "Waiting triggers of a node group, including one-shots, in the order in which"
                    + " they will run")
            .about("Triggers")
            .with(Paths.GROUP, OF_TASK, Paths.AFTER, Paths.LIMIT)
            .answers(TriggerPage.class)
            .by(this::list));
  }

  private Object list(Call call) {
    String group = call.get(Paths.GROUP);
    finder.requireGroup(group);
    int limit = call.get(Paths.LIMIT);
    String task = call.find(OF_TASK).orElse(null);
    String after = call.find(Paths.AFTER).orElse(null);
    List<WaitingTrigger> rows =
        task == null ? inTurn(group, after, limit) : ofTask(group, task, after, limit);
    long now = clock.millis();
    return new TriggerPage(
        rows.stream().map(row -> TriggerSummary.of(row, now)).toList(),
        rows.size() < limit ? null : cursor(rows.get(limit - 1), task != null));
  }

  private static String cursor(WaitingTrigger last, boolean ofTask) {
    return ofTask
        ? Cursor.of(last.key().plannedAt(), last.key().ordinal())
        : Cursor.of(last.priority(), last.dueAt(), last.id());
  }

  private List<WaitingTrigger> inTurn(String group, @Nullable String after, int limit) {
    if (after == null) {
      return order.first(group, limit);
    }
    Cursor place = Cursor.read(after, 3);
    return order.behind(group, place.count(0), place.number(1), place.number(2), limit);
  }

  private List<WaitingTrigger> ofTask(
      String group, String task, @Nullable String after, int limit) {
    TriggerKey behind = new TriggerKey(task, 0, -1);
    if (after != null) {
      Cursor place = Cursor.read(after, 2);
      behind = new TriggerKey(task, place.number(0), place.count(1));
    }
    return waiting.readByTask(group, behind, limit);
  }
}
