package io.millrace.console.api.operator;

import io.millrace.console.api.Paths;
import io.millrace.console.http.Call;
import io.millrace.console.http.Limit;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.console.http.Scope;
import io.millrace.console.http.Scope.What;
import io.millrace.jobtracker.store.console.AuditStore;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The route for the audit: which operators requested which changes. */
public record AuditRoutes(AuditStore store) {

  /** The most entries that one page examines, however small the limit. */
  private static final int LOOK_AT = 5_000;

  private static final Param<String> OPERATOR =
      Param.query("operator", ParamForm.text(64), "Only entries of this operator");
  private static final Param<String> ACTION =
      Param.query("action", ParamForm.text(64), "Only entries of this operation");
  private static final Param<String> JOB =
      Param.query(
          "job", ParamForm.text(255), "Only entries of this job: its node group, / and task id");
  private static final Param<Long> BEFORE =
      Param.query("before", ParamForm.id(), "The 'next' of the previous page; newest first only");
  private static final Param<Long> AFTER =
      Param.query("after", ParamForm.id(), "The 'next' of the previous page, in either order");

  /**
   * An entry of the audit.
   *
   * @param job that was to change, as its node group, {@code /} and task id; null if there is none
   * @param status HTTP status of the answer; null if there is no answer yet, or the tracker stopped
   *     before it
   * @param outcome why the request was rejected or failed; null if it succeeded
   */
  public record AuditEntry(
      String id,
      Instant at,
      String operator,
      Role role,
      String address,
      String action,
      String target,
      @Nullable String job,
      @Nullable String detail,
      @Nullable Integer status,
      @Nullable String outcome) {}

  /**
   * A page of the audit, newest first unless another order is named. A page may hold fewer entries
   * than the limit, or none, although a next page exists: a page examines a bounded number of
   * entries.
   */
  public record AuditPage(List<AuditEntry> items, @Nullable String next) {}

  public List<Route> routes() {
    return List.of(
        Resource.of("Access", Paths.V1 + "/audit")
            .get("", "listAudit", "Changes that operators requested")
            .within(
                new Scope(
                    What.QUERY, "only with a job of its node groups", AuditRoutes::ofAllowedJob))
            .with(OPERATOR, ACTION, JOB, Paths.ORDER, AFTER, BEFORE, Paths.LIMIT)
            .answers(AuditPage.class, this::list));
  }

  private static Call ofAllowedJob(Call call, Limit limit) {
    String job = call.find(JOB).orElse("");
    int slash = job.indexOf('/');
    if (slash < 0 || !limit.allows(job.substring(0, slash))) {
      throw limit.refused("name a job of theirs with ?job=");
    }
    return call;
  }

  private Object list(Call call) {
    AuditStore.Query query =
        new AuditStore.Query(
            call.find(OPERATOR).orElse(null),
            call.find(ACTION).orElse(null),
            call.find(JOB).orElse(null));
    AgeOrder order = call.get(Paths.ORDER);
    AuditStore.Found found =
        store.search(query, order, behind(call, order), call.get(Paths.LIMIT), LOOK_AT);
    Long next = found.next();
    return new AuditPage(
        found.entries().stream().map(AuditRoutes::entry).toList(),
        next == null ? null : String.valueOf(next));
  }

  private static long behind(Call call, AgeOrder order) {
    Optional<Long> before = call.find(BEFORE);
    if (before.isPresent() && order != AgeOrder.NEWEST_FIRST) {
      throw Kind.BAD_REQUEST.because(
          "the query parameter 'before' is for the newest first: use 'after'");
    }
    return call.find(AFTER).or(() -> before).orElse(Paths.beginning(order));
  }

  private static AuditEntry entry(AuditStore.Entry entry) {
    return new AuditEntry(
        String.valueOf(entry.id()),
        Instant.ofEpochMilli(entry.askedAt()),
        entry.operator(),
        entry.role(),
        entry.address(),
        entry.action(),
        entry.target(),
        entry.job(),
        entry.detail(),
        entry.status(),
        entry.outcome());
  }
}
