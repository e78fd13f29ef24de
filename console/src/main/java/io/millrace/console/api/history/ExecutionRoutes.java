package io.millrace.console.api.history;

import io.millrace.api.TerminateResult;
import io.millrace.console.api.Cursor;
import io.millrace.console.api.HistoryItem;
import io.millrace.console.api.JobFinder;
import io.millrace.console.api.KeptSummary;
import io.millrace.console.api.KnownJob;
import io.millrace.console.api.Languages;
import io.millrace.console.api.OperatorRequests;
import io.millrace.console.api.Paths;
import io.millrace.console.api.job.JobRoutes;
import io.millrace.console.api.list.Counting;
import io.millrace.console.api.list.ListCount;
import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.console.http.Scope;
import io.millrace.internal.protocol.TerminateRequest;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.store.ListCounts;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.kept.KeptStore.Run;
import io.millrace.jobtracker.store.order.AgeOrder;
import io.millrace.jobtracker.store.order.Direction;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Routes to list, view and terminate executions. */
public record ExecutionRoutes(
    Stores stores, JobFinder finder, Counting counting, OperatorRequests requests) {
  static final Param<Long> ID = Param.path("id", ParamForm.id(), "Id of the execution");
  static final Resource EXECUTIONS = Resource.of("Executions", Paths.V1 + "/executions");
  static final Resource EXECUTION = EXECUTIONS.below("/{id}", ID);

  private static final Param<String> OF_TASK =
      Param.query("task", ParamForm.text(128), "Only those of this task id; needs a group");

  /**
   * A page of executions in progress and of runs that were split, in order of the time when they
   * were claimed; for one task id, ordered by planned instant. A page may hold fewer items than the
   * limit, or none, although a next page exists.
   */
  public record ExecutionPage(List<ExecutionSummary> items, @Nullable String next) {}

  /**
   * An execution.
   *
   * @param underWay the execution at its worker; null once it has ended
   * @param ended its end; null while it is in progress
   * @param result what the job returned, as the text of its JSON; null if it returned no value
   * @param kept what its run keeps now; null if that is nothing, and once the run is over, unless
   *     it is dead
   * @param wasSplit whether it has ended and was split into parts, which its batch lists
   */
  public record ExecutionDetail(
      String id,
      @Nullable ExecutionSummary underWay,
      @Nullable HistoryItem ended,
      @Nullable String result,
      @Nullable KeptSummary kept,
      boolean wasSplit) {}

  /**
   * The result of terminating executions.
   *
   * @param running number of executions that receive a stop request and are interrupted: a success
   *     still counts, and no attempt follows
   */
  public record Terminated(int running) {}

  public List<Route> routes() {
    Scope scope = Scope.ofIds(call -> List.of(finder.execution(call.get(ID))));
    return List.of(
        EXECUTIONS
            .get("", "listExecutions", "Running executions")
            .with(
                Paths.OF_GROUP,
                OF_TASK,
                Paths.OF_WORKER,
                Paths.FROM_OLDEST,
                Paths.AFTER,
                Paths.LIMIT)
            .answers(ExecutionPage.class, this::list),
        EXECUTIONS
            .get(
                "/count",
                "countExecutions",
                "The number of running executions and of runs that were split")
            .with(Paths.OF_GROUP, OF_TASK, Paths.OF_WORKER, Counting.UP_TO)
            .answers(ListCount.class, this::count),
        EXECUTION
            .get("", "getExecution", "An execution, running or ended")
            .within(scope)
            .with(Languages.LANGUAGE)
            .answers(ExecutionDetail.class, this::get),
        EXECUTION
            .post("/terminate", "terminateExecution", "Terminates an execution")
            .within(scope)
            .answers(Terminated.class, this::terminate),
        JobRoutes.JOB
            .about("Executions")
            .post("/terminate", "terminateJob", "Terminates the running executions of a job")
            .answers(Terminated.class, this::terminateJob));
  }

  private Object list(Call call) {
    ListCounts.Running wanted = wanted(call);
    String group = wanted.nodeGroup();
    String task = wanted.taskId();
    if (group == null || task == null) {
      return search(call, group);
    }
    Direction direction =
        call.get(Paths.FROM_OLDEST) == AgeOrder.OLDEST_FIRST
            ? Direction.ASCENDING
            : Direction.DESCENDING;
    TriggerKey behind = Cursor.readKey(call.find(Paths.AFTER).orElse(null), task, direction);
    return pages().ofTask(group, direction, behind, call.get(Paths.LIMIT));
  }

  private Object count(Call call) {
    return counting.answer(call, bound -> stores.counts().running(wanted(call), bound));
  }

  /** What a request asks for; throws a problem if it cannot be searched for. */
  private ListCounts.Running wanted(Call call) {
    String group = call.find(Paths.OF_GROUP).orElse(null);
    String task = call.find(OF_TASK).orElse(null);
    String worker = call.find(Paths.OF_WORKER).orElse(null);
    if (group != null) {
      finder.requireGroup(group);
    }
    if (task != null && group == null) {
      throw Kind.BAD_REQUEST.because("the query parameter 'task' needs a group");
    }
    if (task != null && worker != null) {
      throw Kind.BAD_REQUEST.because("the query parameter 'task' cannot be combined with a worker");
    }
    return new ListCounts.Running(group, task, worker);
  }

  private ExecutionPage search(Call call, @Nullable String group) {
    AgeOrder order = call.get(Paths.FROM_OLDEST);
    long behind =
        call.find(Paths.AFTER)
            .map(text -> Cursor.read(text, 1).number(0))
            .orElse(Paths.beginning(order));
    int limit = call.get(Paths.LIMIT);
    return call.find(Paths.OF_WORKER)
        .map(worker -> pages().ofWorker(group, worker, order, behind, limit))
        .orElseGet(() -> pages().all(group, order, behind, limit));
  }

  private RunningPages pages() {
    return new RunningPages(stores, stores.console().fleet().workers());
  }

  private Object get(Call call) {
    long id = call.get(ID);
    Execution underWay = finder.underWay(id).orElse(null);
    if (underWay == null) {
      return detailOf(ended(id), call.get(Languages.LANGUAGE));
    }
    return new ExecutionDetail(
        String.valueOf(id),
        pages().summaries(List.of(underWay)).get(0),
        null,
        null,
        KeptSummary.of(stores.kept().list(Run.of(underWay))),
        false);
  }

  private ExecutionDetail detailOf(LedgerEntry ended, Locale language) {
    String result = stores.results().find(List.of(ended.id())).get(ended.id());
    Integer bytes =
        result == null ? null : (Integer) result.getBytes(StandardCharsets.UTF_8).length;
    boolean mayKeep = ended.status() == LedgerStatus.DEAD || !ended.status().isFinal();
    return new ExecutionDetail(
        String.valueOf(ended.id()),
        null,
        HistoryItem.of(ended, bytes, language),
        result,
        mayKeep ? KeptSummary.of(stores.kept().list(Run.of(ended))) : null,
        !stores.ledger().findLatest(ended.id(), 0, Long.MAX_VALUE, 1).isEmpty());
  }

  private LedgerEntry ended(long id) {
    return stores.ledger().find(List.of(id)).stream()
        .findFirst()
        .orElseThrow(() -> Kind.NOT_FOUND.because("there is no execution " + id));
  }

  private Object terminate(Call call) throws Exception {
    long id = call.get(ID);
    Execution execution = finder.underWay(id).orElse(null);
    if (execution == null) {
      throw endedAlready(ended(id));
    }
    TerminateResult result =
        requests.ask(
            call, new TerminateRequest(execution.nodeGroup(), execution.key().taskId(), id));
    if (result.running() == 0) {
      throw endedAlready(ended(id));
    }
    return new Terminated(result.running());
  }

  private static RuntimeException endedAlready(LedgerEntry row) {
    return Kind.CONFLICT.because("execution " + row.id() + " has already ended: " + row.status());
  }

  private Object terminateJob(Call call) throws Exception {
    String group = call.get(Paths.GROUP);
    String task = call.get(Paths.TASK);
    KnownJob known = finder.get(group, task);
    TerminateResult result = requests.ask(call, new TerminateRequest(group, task, null));
    if (result.running() == 0 && !known.isLive()) {
      throw Kind.NOT_FOUND.because("no execution is running of " + group + "/" + task);
    }
    return new Terminated(result.running());
  }
}
