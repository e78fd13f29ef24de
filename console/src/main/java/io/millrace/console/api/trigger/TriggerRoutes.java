package io.millrace.console.api.trigger;

import io.millrace.console.api.Cursor;
import io.millrace.console.api.JobFinder;
import io.millrace.console.api.Paths;
import io.millrace.console.api.TriggerSummary;
import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.WaitingStore.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The route for waiting triggers. */
public record TriggerRoutes(WaitingStore waiting, JobFinder finder, Clock clock) {
  private static final Param<String> OF_TASK =
      Param.query("task", ParamForm.text(128), "Only those of this task id, by planned time");

  /**
   * A page of the waiting triggers of a node group, ordered by priority and due time, in which they
   * are claimed; within a priority, held triggers come last. For one task id, ordered by planned
   * instant.
   */
  public record TriggerPage(List<TriggerSummary> items, @Nullable String next) {}

  public List<Route> routes() {
    return List.of(
        Resource.of("Triggers", Paths.V1 + "/triggers/{group}", Paths.GROUP)
            .get(
                "",
                "listTriggers",
                "Waiting triggers of a node group, including one-shots, in the order in which"
                    + " they will run")
            .with(OF_TASK, Paths.AFTER, Paths.LIMIT)
            .answers(TriggerPage.class, this::list));
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
