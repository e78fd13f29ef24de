package io.millrace.console.api.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.CancelResult;
import io.millrace.api.ChangeResult;
import io.millrace.api.ChangeStatus;
import io.millrace.console.access.ChangeRecord;
import io.millrace.console.api.Cursor;
import io.millrace.console.api.OperatorRequests;
import io.millrace.console.api.Paths;
import io.millrace.console.http.Authenticator.Outcome;
import io.millrace.console.http.Caller;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.PauseRequest;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.ResumeRequest;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.ListCounts.Bound;
import io.millrace.jobtracker.store.ListCounts.Count;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.console.BulkChangeStore.Action;
import io.millrace.jobtracker.store.console.BulkChangeStore.BulkChange;
import io.millrace.jobtracker.store.console.BulkChangeStore.Failure;
import io.millrace.jobtracker.store.console.BulkChangeStore.Filter;
import java.net.URLEncoder;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Recurring jobs. Each change has an entry of its own in the audit, so that the changes of a job
 * tell of it as if it had been made alone.
 */
record JobTarget(Stores stores, OperatorRequests requests, ChangeRecord audit)
    implements BulkTarget<JobDefinition> {
  /** The most jobs that a page examines. */
  private static final int LOOK_AT = 5_000;

  private static final int DONE = 200;
  private static final int REFUSED = 409;
  private static final int FAILED = 500;
  private static final JsonCodec CODEC = new JsonCodec();

  /** What the audit says of a change in place of the body of a request. */
  private record Detail(String bulkChange, @Nullable String reason) {}

  private static Set<JobState> statesOf(Action action) {
    return switch (action) {
      case PAUSE_JOBS -> EnumSet.of(JobState.ACTIVE);
      case RESUME_JOBS -> EnumSet.of(JobState.PAUSED);
      default -> EnumSet.of(JobState.ACTIVE, JobState.PAUSED);
    };
  }

  /** The states that a change is about: those that its action can change and its search allows. */
  private static List<JobState> statesOf(BulkChange change) {
    String only = change.request().filter().state();
    return statesOf(change.request().action()).stream()
        .filter(state -> only == null || only.equals(state.name()))
        .toList();
  }

  private static JobStore.Search search(Filter filter, @Nullable JobState state) {
    return new JobStore.Search(
        filter.nodeGroup(),
        filter.prefix(),
        filter.contains(),
        state,
        filter.handler(),
        filter.owner());
  }

  @Override
  public Count count(BulkChange change, Bound bound) {
    return statesOf(change).stream()
        .map(state -> search(change.request().filter(), state))
        .map(search -> stores.counts().jobs(search, bound))
        .reduce(new Count(0, 0, false), Count::plus);
  }

  @Override
  public Page<JobDefinition> read(BulkChange change, int limit) {
    List<JobState> states = statesOf(change);
    if (states.isEmpty()) {
      return new Page<>(List.of(), null);
    }
    String reached = change.progress().reached();
    Cursor cursor = reached == null ? null : Cursor.read(reached, 2);
    JobStore.Place behind =
        cursor == null ? JobStore.Place.START : new JobStore.Place(cursor.text(0), cursor.text(1));
    JobState only = states.size() == 1 ? states.get(0) : null;
    JobStore.FoundJobs found =
        stores.jobs().search(search(change.request().filter(), only), behind, limit, LOOK_AT);
    JobStore.Place next = found.next();
    return new Page<>(
        found.jobs().stream()
            .map(JobStore.FoundJob::job)
            .filter(job -> states.contains(job.state()) && wasSo(job, change.request().at()))
            .toList(),
        next == null ? null : Cursor.of(next.nodeGroup(), next.taskId()));
  }

  /** Whether the job was as it is when the change was requested. */
  private static boolean wasSo(JobDefinition job, long at) {
    return job.acceptedAt() <= at && (job.pause() == null || job.pause().at() <= at);
  }

  @Override
  public Begun begin(BulkChange change, Caller caller, JobDefinition job) {
    String group = job.nodeGroup();
    String task = job.taskId();
    return switch (change.request().action()) {
      case PAUSE_JOBS ->
          ask(
              new Change("pause", change.request().options().reason()),
              change,
              caller,
              job,
              new PauseRequest(group, task, change.request().options().reason()),
              JobTarget::refusal);
      case RESUME_JOBS ->
          ask(
              new Change("resume", null),
              change,
              caller,
              job,
              new ResumeRequest(group, task),
              JobTarget::refusal);
      default ->
          ask(
              new Change("cancel", null),
              change,
              caller,
              job,
              new CancelRequest(group, task, null, job.id(), job.version()),
              result -> notFound(job, result));
    };
  }

  /** What is done to a job, as in the path of its route. */
  private record Change(String name, @Nullable String reason) {}

  private <R> Begun ask(
      Change what,
      BulkChange change,
      Caller caller,
      JobDefinition job,
      Request<R> request,
      Function<R, @Nullable String> refusal) {
    String path =
        String.join(
            "/", Paths.V1, "jobs", encoded(job.nodeGroup()), encoded(job.taskId()), what.name());
    String detail = CODEC.encodeText(new Detail(String.valueOf(change.id()), what.reason()));
    Outcome outcome = audit.asked(caller, what.name() + "Job", path, detail);
    CompletionStage<R> answer = requests.send(caller, "", request);
    return () -> {
      try {
        String why = refusal.apply(OperatorRequests.await(answer));
        outcome.is(why == null ? DONE : REFUSED, why);
        return why;
      } catch (Exception e) {
        outcome.is(FAILED, String.valueOf(e.getMessage()));
        throw e;
      }
    };
  }

  private static String encoded(String part) {
    return URLEncoder.encode(part, UTF_8).replace("+", "%20");
  }

  /** What has ended meanwhile needs no change. */
  private static @Nullable String refusal(ChangeResult result) {
    return result.status() == ChangeStatus.REFUSED || result.status() == ChangeStatus.UNKNOWN
        ? result.message()
        : null;
  }

  /** Another version of the job is not what matched. */
  private @Nullable String notFound(JobDefinition job, CancelResult result) {
    if (result.found()) {
      return null;
    }
    return stores
        .jobs()
        .find(job.id())
        .filter(now -> now.state().isLive())
        .map(now -> "it was changed at this moment, and is left")
        .orElse(null);
  }

  @Override
  public Failure failure(JobDefinition job, String why) {
    String name = job.nodeGroup() + "/" + job.taskId();
    return new Failure(name, job.nodeGroup(), job.taskId(), null, why);
  }
}
