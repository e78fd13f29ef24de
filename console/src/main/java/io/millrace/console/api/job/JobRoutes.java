package io.millrace.console.api.job;

import io.millrace.api.Explanation;
import io.millrace.api.JobStatus;
import io.millrace.api.Schedule;
import io.millrace.console.api.Cursor;
import io.millrace.console.api.Fire;
import io.millrace.console.api.JobFinder;
import io.millrace.console.api.KnownJob;
import io.millrace.console.api.Languages;
import io.millrace.console.api.LastRuns;
import io.millrace.console.api.OperatorRequests;
import io.millrace.console.api.Paths;
import io.millrace.console.api.ScheduleWords;
import io.millrace.console.api.Timetable;
import io.millrace.console.api.list.Counting;
import io.millrace.console.api.list.ListCount;
import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Reply;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.internal.protocol.ExplainRequest;
import io.millrace.internal.protocol.StatusRequest;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.order.Direction;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Routes to list, view and explain jobs, and for their status. */
public record JobRoutes(
    Stores stores,
    JobFinder finder,
    JobDetails details,
    Counting counting,
    OperatorRequests requests,
    Timetable timetable,
    Clock clock) {
  static final Resource JOBS = Resource.of("Jobs", Paths.V1 + "/jobs");
  public static final Resource JOB = JOBS.below("/{group}/{task}", Paths.GROUP, Paths.TASK);

  /** The most jobs that one page examines, however small the limit. */
  private static final int LOOK_AT = 5_000;

  private static final int OK = 200;

  private static final Param<JobState> STATE =
      Param.query("state", ParamForm.choice(JobState.class), "Only those in this state");
  private static final Param<String> OWNER =
      Param.query("owner", ParamForm.text(128), "Only those that this owner declares");
  private static final Param<String> SUBMISSION =
      Param.query(
          "submission",
          ParamForm.text(40),
          "The submit, or the run now, that the status is of; without it, the status is of what"
              + " lives under the key");
  private static final Param<ZoneId> ZONE =
      Param.query(
          "zone",
          ParamForm.text(null, List.of(), "must be a time zone such as Asia/Shanghai", ZoneId::of),
          "Time zone by whose clocks the sentences say instants, such as 2026-03-02 17:30:00"
              + " +08:00; without it, in UTC as 2026-03-02T09:30:00Z");
  static final Param<Integer> COUNT =
      Param.query("count", ParamForm.integer(1, 200), 10, "Number of fire times");

  /** The order of a list of jobs. */
  enum Order {
    /** By node group and task id. */
    NAME,
    NAME_DESCENDING,
    /** The soonest first; those that do not fire by their schedule come last. */
    NEXT_FIRE
  }

  private static final Param<Order> ORDER =
      Param.query(
          "order",
          ParamForm.choice(Order.class),
          Order.NAME,
          "By node group and task id, or by the next fire time, which is for 20,000 jobs at most;"
              + " 'after' goes on in the same order");

  /**
   * A page of recurring jobs, ordered by node group and task id unless another order is named. A
   * page may hold fewer items than the limit, or none, although a next page exists: a search
   * examines a bounded number of jobs.
   */
  public record JobPage(List<JobSummary> items, @Nullable String next) {}

  public List<Route> routes() {
    return List.of(
        JOBS.get("", "listJobs", "Recurring jobs")
            .with(
                Paths.OF_GROUP,
                STATE,
                Paths.OF_HANDLER,
                OWNER,
                Paths.OF_PREFIX,
                Paths.CONTAINS,
                LastRuns.RUNS,
                Languages.LANGUAGE,
                ORDER,
                Paths.AFTER,
                Paths.LIMIT)
            .answers(JobPage.class, this::list),
        JOBS.get("/count", "countJobs", "The number of recurring jobs")
            .with(
                Paths.OF_GROUP,
                STATE,
                Paths.OF_HANDLER,
                OWNER,
                Paths.OF_PREFIX,
                Paths.CONTAINS,
                Counting.UP_TO)
            .answers(ListCount.class, this::count),
        JOB.get("", "getJob", "All details of a job; a one-shot only while it is live")
            .with(LastRuns.RUNS, Languages.LANGUAGE)
            .answers(JobDetail.class, this::get),
        JOB.get(
                "/status",
                "jobStatus",
                "Whether a job, or one submit of it, waits, runs or has ended; NOT_KNOWN if"
                    + " nothing is known of it, or nothing any more")
            .with(SUBMISSION)
            .answers(JobStatus.class, this::status),
        JOB.get("/next", "nextFireTimes", "The next fire times of a job")
            .with(COUNT, Languages.LANGUAGE)
            .answers(FireList.class, this::next),
        JOB.get("/explain", "explainJob", "Why a job has or has not run, and what happens next")
            .with(Languages.LANGUAGE, ZONE)
            .answers(Explanation.class, this::explain));
  }

  private Object list(Call call) {
    return switch (call.get(ORDER)) {
      case NAME -> byName(call, Direction.ASCENDING);
      case NAME_DESCENDING -> byName(call, Direction.DESCENDING);
      case NEXT_FIRE -> byNextFire(call);
    };
  }

  private JobPage byName(Call call, Direction direction) {
    JobStore.Place behind =
        call.find(Paths.AFTER)
            .map(text -> Cursor.read(text, 2))
            .map(cursor -> new JobStore.Place(cursor.text(0), cursor.text(1)))
            .orElse(null);
    JobStore.FoundJobs found =
        stores.jobs().search(search(call), direction, behind, call.get(Paths.LIMIT), LOOK_AT);
    JobStore.Place next = found.next();
    return page(
        call, found.jobs(), next == null ? null : Cursor.of(next.nodeGroup(), next.taskId()));
  }

  private JobPage byNextFire(Call call) {
    NextFires.Place behind =
        call.find(Paths.AFTER)
            .map(text -> Cursor.read(text, 3))
            .map(cursor -> new NextFires.Place(cursor.number(0), cursor.text(1), cursor.text(2)))
            .orElse(null);
    NextFires.Page found =
        new NextFires(stores.jobs(), details).read(search(call), behind, call.get(Paths.LIMIT));
    NextFires.Place next = found.next();
    return page(
        call,
        found.jobs(),
        next == null ? null : Cursor.of(next.fireAt(), next.nodeGroup(), next.taskId()));
  }

  private JobPage page(Call call, List<JobStore.FoundJob> found, @Nullable String next) {
    Locale language = call.get(Languages.LANGUAGE);
    LastRuns runs =
        LastRuns.ofMany(
            stores.ledger(),
            found.stream().map(row -> row.job().id()).toList(),
            call.get(LastRuns.RUNS));
    return new JobPage(
        found.stream().map(job -> details.summary(job, runs, language)).toList(), next);
  }

  private JobStore.Search search(Call call) {
    call.find(Paths.OF_GROUP).ifPresent(finder::requireGroup);
    return new JobStore.Search(
        call.find(Paths.OF_GROUP).orElse(null),
        call.find(Paths.OF_PREFIX).orElse(null),
        call.find(Paths.CONTAINS).orElse(null),
        call.find(STATE).orElse(null),
        call.find(Paths.OF_HANDLER).orElse(null),
        call.find(OWNER).orElse(null));
  }

  private Object count(Call call) {
    return counting.answer(call, bound -> stores.counts().jobs(search(call), bound));
  }

  private Object get(Call call) {
    String group = call.get(Paths.GROUP);
    KnownJob known = finder.get(group, call.get(Paths.TASK));
    JobDetail detail =
        details.detail(group, known, call.get(LastRuns.RUNS), call.get(Languages.LANGUAGE));
    return Reply.of(OK, detail).withTag(JobEtag.of(detail).text());
  }

  private Object status(Call call) throws Exception {
    return requests.ask(
        call,
        new StatusRequest(
            call.get(Paths.GROUP), call.get(Paths.TASK), call.find(SUBMISSION).orElse(null)));
  }

  private Object next(Call call) {
    String group = call.get(Paths.GROUP);
    KnownJob known = finder.get(group, call.get(Paths.TASK));
    JobDefinition job = known.recurring();
    Locale language = call.get(Languages.LANGUAGE);
    if (job == null) {
      return oneShot(known, language);
    }
    Instant acceptedAt = Instant.ofEpochMilli(job.acceptedAt());
    ZoneId zone = timetable.zoneOf(job.schedule());
    List<Fire> fires = List.of();
    if (job.spec().chained()) {
      fires = written(job, zone, call.get(COUNT));
    } else if (job.state().isLive()) {
      fires = timetable.next(job.schedule(), acceptedAt, clock.now(), call.get(COUNT), language);
    }
    return new FireList(
        timetable.words(job.schedule(), language), zone, fires, noteOn(job, language));
  }

  private FireList oneShot(KnownJob known, Locale language) {
    Schedule once = new Schedule.Once(null, null);
    ZoneId zone = timetable.zoneOf(once);
    String words = timetable.words(once, language);
    return known.oneShot() instanceof WaitingTrigger row
        ? new FireList(words, zone, List.of(Fire.of(Instant.ofEpochMilli(row.dueAt()), zone)), null)
        : new FireList(words, zone, List.of(), ScheduleWords.of(language).note("drawn"));
  }

  /**
   * The due times of waiting triggers, for a job that generates one trigger at a time: no later
   * fire time can be predicted.
   */
  private List<Fire> written(JobDefinition job, ZoneId zone, int count) {
    return stores.waiting().findByTask(job.nodeGroup(), job.taskId(), 0, count).stream()
        .filter(row -> !row.isHeld())
        .map(row -> Fire.of(Instant.ofEpochMilli(row.dueAt()), zone))
        .toList();
  }

  private static @Nullable String noteOn(JobDefinition job, Locale language) {
    ScheduleWords words = ScheduleWords.of(language);
    return switch (job.state()) {
      case PAUSED -> words.note("paused");
      case FINISHED -> words.note("finished");
      case CANCELLED -> words.note("cancelled");
      case ACTIVE -> job.spec().chained() ? words.note("chained") : null;
    };
  }

  private Object explain(Call call) throws Exception {
    Explanation explanation =
        requests.ask(
            call,
            new ExplainRequest(
                call.get(Paths.GROUP),
                call.get(Paths.TASK),
                call.get(Languages.LANGUAGE).getLanguage(),
                call.find(ZONE).orElse(null)));
    if (!explanation.isFound()) {
      String facts = // they name other node groups with such a job
          call.caller().rights().groups().areLimited()
              ? ""
              : explanation.facts().stream()
                  .map(Explanation.Fact::text)
                  .collect(Collectors.joining(" "));
      String similar = String.join(", ", explanation.similarTaskIds());
      throw Kind.NOT_FOUND.because(
          "there is no job %s/%s. %s%s"
              .formatted(
                  call.get(Paths.GROUP),
                  call.get(Paths.TASK),
                  facts,
                  similar.isEmpty() ? "" : " Similar: " + similar));
    }
    return explanation;
  }
}
