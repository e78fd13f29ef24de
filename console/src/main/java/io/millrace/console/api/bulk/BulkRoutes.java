package io.millrace.console.api.bulk;

import io.millrace.console.api.Cursor;
import io.millrace.console.api.JobFinder;
import io.millrace.console.api.OperatorRequests;
import io.millrace.console.api.Paths;
import io.millrace.console.http.Call;
import io.millrace.console.http.Limit;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.console.http.Scope;
import io.millrace.console.http.Scope.Referred;
import io.millrace.internal.protocol.PauseRequest;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.store.console.BulkChangeStore.Action;
import io.millrace.jobtracker.store.console.BulkChangeStore.BulkChange;
import io.millrace.jobtracker.store.console.BulkChangeStore.Options;
import io.millrace.jobtracker.store.console.BulkChangeStore.Request;
import io.millrace.jobtracker.store.console.NodeGroups;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Routes to request, view and stop bulk changes. */
public record BulkRoutes(BulkChanges changes, JobFinder finder, Clock clock) {
  private static final int CREATED = 201;

  private static final Param<Long> ID = Param.path("id", ParamForm.id(), "Id of the bulk change");
  private static final Resource ALL = Resource.of("Bulk changes", Paths.V1 + "/bulk-changes");
  private static final Resource ONE = ALL.below("/{id}", ID);
  private static final Param<Boolean> ACTIVE =
      Param.query(
          "active", ParamForm.flag(), false, "Whether to list only those that have not ended");

  /**
   * A request for a bulk change: what is done to all that match the filter now.
   *
   * @param filter which of them; null or empty for all, together with everything
   * @param everything true confirms that there is no filter
   * @param reason of a pause, at most 1,000 characters; not with other actions
   * @param params of a replay, in place of those of each dead trigger; not with other actions
   * @param keepSucceeded of a replay of runs that were split: true runs only the parts that have
   *     not succeeded; not together with params
   */
  public record NewBulkChange(
      Action action,
      @Nullable BulkFilter filter,
      @Nullable Boolean everything,
      @Nullable String reason,
      @Nullable Map<String, String> params,
      @Nullable Boolean keepSucceeded) {}

  /**
   * A page of bulk changes, newest first. A token that is limited to node groups sees those of its
   * node groups, so that a page may hold fewer items than the limit although a next page exists.
   */
  public record BulkChangePage(List<BulkChangeSummary> items, @Nullable String next) {}

  public List<Route> routes() {
    return List.of(
        ALL.post(
                "",
                "requestBulkChange",
                "Changes all that match a filter, in the background; what is stored, claimed or"
                    + " dead later is left")
            .within(Scope.inBody(BulkRoutes::allowed))
            .takes(NewBulkChange.class)
            .answers(CREATED, BulkChangeSummary.class, this::request),
        ALL.get("", "listBulkChanges", "Bulk changes, newest first")
            .within(Scope.inAnswer("only those whose filter names a node group of the token"))
            .with(ACTIVE, Paths.AFTER, Paths.LIMIT)
            .answers(BulkChangePage.class, this::list),
        ONE.get("", "getBulkChange", "A bulk change, and how far it is")
            .within(Scope.ofIds(this::referred))
            .answers(BulkChangeSummary.class, this::get),
        ONE.post("/stop", "stopBulkChange", "Stops a bulk change; what is changed by then stays so")
            .within(Scope.ofIds(this::referred))
            .answers(BulkChangeSummary.class, this::stop));
  }

  /** A limited token names a node group of its own. */
  private static Call allowed(Call call, Limit limit) {
    BulkFilter filter = call.body(NewBulkChange.class).filter();
    String instead = "name one of them as filter.nodeGroup";
    if (filter == null || filter.nodeGroup() == null) {
      throw limit.refused(instead);
    }
    limit.requireNamed(filter.nodeGroup(), instead);
    return call;
  }

  private List<Referred> referred(Call call) {
    long id = call.get(ID);
    Optional<String> group =
        changes.store().find(id).map(change -> change.request().filter().nodeGroup());
    return List.of(new Referred(group, BulkChanges.absent(id)));
  }

  private Object request(Call call) {
    NewBulkChange wanted = call.body(NewBulkChange.class);
    BulkFilter filter = wanted.filter() == null ? BulkFilter.NONE : wanted.filter();
    if (filter.equals(BulkFilter.NONE) != Boolean.TRUE.equals(wanted.everything())) {
      throw Kind.REJECTED.because(
          "give either a filter with at least one condition, or everything: true");
    }
    Request request =
        new Request(
            wanted.action(),
            filter.checked(wanted.action()),
            options(wanted),
            clock.millis(),
            call.caller().name(),
            call.caller().address());
    if (filter.nodeGroup() != null) {
      finder.requireGroup(filter.nodeGroup());
    }
    return BulkChangeSummary.of(changes.add(request));
  }

  private static Options options(NewBulkChange wanted) {
    String reason = wanted.reason();
    boolean keepSucceeded = Boolean.TRUE.equals(wanted.keepSucceeded());
    if (reason != null && wanted.action() != Action.PAUSE_JOBS) {
      throw Kind.REJECTED.because("reason is for PAUSE_JOBS only");
    }
    if (reason != null && reason.length() > PauseRequest.MAX_REASON_CHARS) {
      throw Kind.REJECTED.because(
          "reason must have at most " + PauseRequest.MAX_REASON_CHARS + " characters");
    }
    if ((wanted.params() != null || keepSucceeded) && wanted.action() != Action.REPLAY_DEAD) {
      throw Kind.REJECTED.because("params and keepSucceeded are for REPLAY_DEAD only");
    }
    if (wanted.params() != null && keepSucceeded) {
      throw Kind.REJECTED.because(OperatorRequests.PARAMS_OR_KEPT);
    }
    return new Options(reason, wanted.params(), keepSucceeded);
  }

  private Object list(Call call) {
    long below =
        call.find(Paths.AFTER).map(text -> Cursor.read(text, 1).number(0)).orElse(Long.MAX_VALUE);
    int limit = call.get(Paths.LIMIT);
    List<BulkChange> found =
        call.get(ACTIVE)
            ? changes.store().listActive(below, limit)
            : changes.store().list(below, limit);
    NodeGroups seen = call.caller().rights().groups();
    return new BulkChangePage(
        found.stream().filter(change -> isSeen(change, seen)).map(BulkChangeSummary::of).toList(),
        found.size() < limit ? null : Cursor.of(found.get(limit - 1).id()));
  }

  private static boolean isSeen(BulkChange change, NodeGroups seen) {
    String group = change.request().filter().nodeGroup();
    return group == null ? !seen.areLimited() : seen.include(group);
  }

  private Object get(Call call) {
    return BulkChangeSummary.of(changes.find(call.get(ID)));
  }

  private Object stop(Call call) {
    return BulkChangeSummary.of(changes.stop(call.get(ID), call.caller().name()));
  }
}
