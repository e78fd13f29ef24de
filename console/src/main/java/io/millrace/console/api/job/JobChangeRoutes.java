package io.millrace.console.api.job;

import static io.millrace.console.api.job.JobRoutes.JOB;
import static io.millrace.console.api.job.JobRoutes.JOBS;
import static java.util.stream.Collectors.joining;

import io.millrace.api.CancelResult;
import io.millrace.api.ChangeResult;
import io.millrace.api.ChangeStatus;
import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.api.RunNowResult;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.console.api.JobFinder;
import io.millrace.console.api.OperatorRequests;
import io.millrace.console.api.Paths;
import io.millrace.console.http.Call;
import io.millrace.console.http.Limit;
import io.millrace.console.http.Problem;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Reply;
import io.millrace.console.http.Route;
import io.millrace.console.http.Scope;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.JobEdit;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.PauseRequest;
import io.millrace.internal.protocol.ResumeRequest;
import io.millrace.internal.protocol.RunNowRequest;
import io.millrace.internal.protocol.SubmitRequest;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Routes that submit, edit, pause, resume, run and cancel jobs. */
public record JobChangeRoutes(JobFinder finder, JobDetails details, OperatorRequests requests) {
  private static final int OK = 200;
  private static final int CREATED = 201;

  /**
   * A job that was stored.
   *
   * @param status ACCEPTED, or REPLACED if it replaced a job of the same key
   * @param note for a person: that the edited job is declared by an application; null if there is
   *     nothing to say
   */
  public record StoredJob(
      String nodeGroup, String taskId, SubmitStatus status, @Nullable String note) {}

  /**
   * Why a job is paused.
   *
   * @param reason a text for operators, at most 1,000 characters; null for none
   */
  public record PauseReason(@Nullable String reason) {}

  /**
   * An extra run.
   *
   * @param params used instead of the job's parameters; null for the job's own
   * @param submissionId identifies a resend of the same request; null if there will be none
   */
  public record ExtraRun(@Nullable Map<String, String> params, @Nullable String submissionId) {}

  /**
   * The result of a change to a job.
   *
   * @param status CHANGED, or UNCHANGED if the job was in that state already
   * @param running executions in progress, which continue
   * @param message the result as a sentence
   */
  public record ChangedJob(ChangeStatus status, int running, String message) {}

  /**
   * The trigger of an extra run.
   *
   * @param plannedFor the planned instant; identifies the trigger together with the ordinal
   */
  public record ExtraTrigger(Instant plannedFor, int ordinal, String message) {}

  /**
   * A job that was cancelled.
   *
   * @param cancelledTriggers number of waiting triggers that were cancelled and will not run
   * @param running number of executions that receive a stop request: a success still counts, and no
   *     attempt follows
   */
  public record CancelledJob(int cancelledTriggers, int running) {}

  public List<Route> routes() {
    return List.of(
        JOBS.post("", "submitJob", "Stores a job")
            .within(Scope.inBody(JobChangeRoutes::allowed))
            .takes(NewJob.class)
            .answers(CREATED, StoredJob.class, this::submit),
        JOB.put(
                "",
                "replaceJob",
                "Edits a live job; If-Match names the version on which the edit is based")
            .takes(ReplacementJob.class)
            .is(Route.Trait.CONDITIONAL)
            .answers(StoredJob.class, this::replace),
        JOB.post("/pause", "pauseJob", "Pauses a recurring job")
            .mayTake(PauseReason.class)
            .answers(ChangedJob.class, this::pause),
        JOB.post("/resume", "resumeJob", "Resumes a paused job")
            .answers(ChangedJob.class, this::resume),
        JOB.post("/run", "runJob", "Runs a recurring job once more, now")
            .mayTake(ExtraRun.class)
            .answers(CREATED, ExtraTrigger.class, this::run),
        JOB.post("/cancel", "cancelJob", "Cancels a job; with If-Match, only that version of it")
            .is(Route.Trait.CONDITIONAL)
            .answers(CancelledJob.class, this::cancel),
        JOB.delete("", "deleteJob", "The same as cancelJob")
            .is(Route.Trait.CONDITIONAL)
            .answers(CancelledJob.class, this::cancel));
  }

  private static Call allowed(Call call, Limit limit) {
    limit.requireNamed(call.body(NewJob.class).nodeGroup(), null);
    return call;
  }

  private Object submit(Call call) throws Exception {
    NewJob wanted = call.body(NewJob.class);
    Job job = wanted.toJob(call.trace().orElse(null));
    JobSubmission submission = new JobSubmission(requests.submissionId(wanted.submissionId()), job);
    StoredJob stored = stored(job, ask(call, "", submission), null);
    return Reply.of(stored.status() == SubmitStatus.ACCEPTED ? CREATED : OK, stored);
  }

  /**
   * Replaces a job. Keeps its feedback and its client group, because an operator's edit changes
   * only the definition.
   */
  private Object replace(Call call) throws Exception {
    String group = call.get(Paths.GROUP);
    String task = call.get(Paths.TASK);
    JobDetail before = live(group, task);
    ReplacementJob wanted = call.body(ReplacementJob.class);
    wanted.check(before);
    Job job = wanted.toJob(before, call.trace().orElse(null));
    @Nullable JobEtag from = call.ifMatch().flatMap(JobEtag::read).orElse(null);
    boolean isAny = from == null && call.ifMatch().isPresent();
    JobEdit edit =
        from == null
            ? new JobEdit(isAny ? null : wanted.id(), isAny ? null : wanted.version())
            : new JobEdit(from.jobId(), from.version());
    JobSubmission submission = new JobSubmission(requests.submissionId(null), job, edit);
    SubmitResult result = ask(call, before.origin().clientGroup(), submission);
    if (result.reason() == RejectReason.JOB_CHANGED) {
      throw changedSince("edit", live(group, task), from);
    }
    return stored(job, result, noteOn(before));
  }

  private JobDetail live(String group, String task) {
    return details.detail(group, finder.getLive(group, task), Locale.ENGLISH);
  }

  private static RuntimeException changedSince(
      String request, JobDetail current, @Nullable JobEtag from) {
    JobEtag now = JobEtag.of(current);
    List<Problem.ChangedField> changed = from == null ? null : now.changedSince(from);
    String fields =
        changed == null || changed.isEmpty()
            ? ""
            : "; changed since: "
                + changed.stream().map(Problem.ChangedField::field).collect(joining(", "));
    return Problem.changedSince(
        ("%s/%s is at version %s, and the %s is based on another version%s. Get the current"
                + " version first")
            .formatted(current.nodeGroup(), current.taskId(), current.version(), request, fields),
        current.version(),
        changed);
  }

  private SubmitResult ask(Call call, String clientGroup, JobSubmission submission)
      throws Exception {
    return requests.ask(call, clientGroup, new SubmitRequest(List.of(submission))).results().get(0);
  }

  /** Throws a problem if the job was not stored. */
  private static StoredJob stored(Job job, SubmitResult result, @Nullable String note) {
    String name = job.nodeGroup() + "/" + job.taskId();
    return switch (result.status()) {
      case ACCEPTED, REPLACED ->
          new StoredJob(job.nodeGroup(), job.taskId(), result.status(), note);
      case DUPLICATE ->
          throw Kind.CONFLICT.because(
              name + ": " + said(result, "a live job with this key exists"));
      case REJECTED, SAVED_LOCALLY, UNKNOWN -> throw rejection(result);
    };
  }

  /** What the next declaration does to the edit of a declared job; null for any other job. */
  private static @Nullable String noteOn(JobDetail before) {
    JobDetail.Declared declared = before.declared();
    return declared == null || declared.retiredAt() != null
        ? null
        : "the job is declared by '"
            + declared.owner()
            + "'; the edit stays until its owner declares the job differently";
  }

  private static RuntimeException rejection(SubmitResult result) {
    RejectReason reason = result.reason();
    boolean mayPass = reason != null && reason.mayPass();
    Problem.Kind kind = mayPass ? Kind.UNAVAILABLE : Kind.REJECTED;
    String why = said(result, "it was not stored");
    return reason == null ? kind.because(why) : kind.because(reason.name(), why);
  }

  private static String said(SubmitResult result, String otherwise) {
    return result.message() == null ? otherwise : result.message();
  }

  private Object pause(Call call) throws Exception {
    finder.requireGroup(call.get(Paths.GROUP));
    String reason = call.body(PauseReason.class).reason();
    ChangeResult result =
        requests.ask(call, new PauseRequest(call.get(Paths.GROUP), call.get(Paths.TASK), reason));
    return changed(result);
  }

  private Object resume(Call call) throws Exception {
    finder.requireGroup(call.get(Paths.GROUP));
    return changed(
        requests.ask(call, new ResumeRequest(call.get(Paths.GROUP), call.get(Paths.TASK))));
  }

  private static ChangedJob changed(ChangeResult result) {
    OperatorRequests.requireDone(result.status(), result.message());
    return new ChangedJob(result.status(), result.running(), result.message());
  }

  private Object run(Call call) throws Exception {
    String group = call.get(Paths.GROUP);
    String task = call.get(Paths.TASK);
    finder.requireGroup(group);
    ExtraRun wanted = call.body(ExtraRun.class);
    RunNowResult result =
        requests.ask(
            call,
            new RunNowRequest(
                requests.submissionId(wanted.submissionId()), group, task, wanted.params()));
    OperatorRequests.requireDone(result.status(), result.message());
    Instant plannedFor = result.plannedFor();
    if (plannedFor == null) {
      throw Kind.CONFLICT.because(result.message());
    }
    return new ExtraTrigger(plannedFor, result.ordinal(), result.message());
  }

  private Object cancel(Call call) throws Exception {
    String group = call.get(Paths.GROUP);
    String task = call.get(Paths.TASK);
    finder.requireGroup(group);
    @Nullable JobEtag from = call.ifMatch().flatMap(JobEtag::read).orElse(null);
    CancelResult result =
        requests.ask(
            call,
            from == null
                ? new CancelRequest(group, task)
                : new CancelRequest(group, task, null, from.jobId(), from.version()));
    if (!result.found() && from != null) {
      throw changedSince("cancel", live(group, task), from);
    }
    if (!result.found()) {
      throw Kind.NOT_FOUND.because("there is no live job " + group + "/" + task);
    }
    return new CancelledJob(result.cancelledTriggers(), result.running());
  }
}
