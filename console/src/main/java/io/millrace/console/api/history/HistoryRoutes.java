package io.millrace.console.api.history;

import io.millrace.console.api.Cursor;
import io.millrace.console.api.HistoryItem;
import io.millrace.console.api.JobFinder;
import io.millrace.console.api.KnownJob;
import io.millrace.console.api.Languages;
import io.millrace.console.api.Paths;
import io.millrace.console.api.list.Counting;
import io.millrace.console.api.list.ListCount;
import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.LedgerStore;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The route for the ledger: how executions ended, and which triggers never ran. */
public record HistoryRoutes(Stores stores, Counting counting, JobFinder finder) {
  /** The most rows that one page examines, however small the limit. */
  private static final int LOOK_AT = 5_000;

  /**
   * The most rows that a search for an ended one-shot examines, which takes a tenth of a second.
   */
  private static final int LOOK_AT_FOR_ONE_SHOT = 100_000;

  /** The range of instants that ids can express; no ids exist outside it. */
  private static final Instant FIRST = Instant.ofEpochMilli(IdSequence.EPOCH_MILLIS);

  private static final Instant LAST = Instant.parse("2095-01-01T00:00:00Z");

  private static final Param<String> OF_TASK =
      Param.query(
          "task",
          ParamForm.text(128),
          "Only those of the job with this task id, in order of planned time; needs a group");
  private static final Param<Set<LedgerStatus>> STATUS =
      Param.query(
          "status",
          ParamForm.choices(LedgerStatus.class),
          "Only those with this outcome, or with one of these");
  private static final Param<Instant> FROM =
      Param.query("from", ParamForm.instant(), "Only those of this instant or later");
  private static final Param<Instant> TO =
      Param.query("to", ParamForm.instant(), "Only those before this instant");
  private static final Param<TimeOf> BY =
      Param.query(
          "by",
          ParamForm.choice(TimeOf.class),
          TimeOf.CLAIM,
          "Which time from and to are about: that of the claim, or of the record if there was no"
              + " claim; or when the end was recorded");

  /** Which time of an execution a span is about. */
  enum TimeOf {
    CLAIM,
    END
  }

  /**
   * How much later than its end the claim of an execution may seem to be: the clocks of two
   * trackers differ by milliseconds.
   */
  private static final Duration CLOCKS = Duration.ofSeconds(1);

  /**
   * A page of the ledger. A page may hold fewer rows than the limit, or none, although a next page
   * exists: a page examines a bounded number of rows.
   */
  public record HistoryPage(List<HistoryItem> items, @Nullable String next) {}

  public List<Route> routes() {
    Resource history = Resource.of("History", Paths.V1 + "/history");
    return List.of(
        history
            .get("", "listHistory", "How executions ended")
            .with(
                Paths.OF_GROUP,
                OF_TASK,
                STATUS,
                Paths.OF_WORKER,
                FROM,
                TO,
                BY,
                Languages.LANGUAGE,
                Paths.ORDER,
                Paths.AFTER,
                Paths.LIMIT)
            .answers(HistoryPage.class, this::list),
        history
            .get(
                "/count",
                "countHistory",
                "The number of ledger rows; the newest of the span of time or the job are examined")
            .with(Paths.OF_GROUP, OF_TASK, STATUS, Paths.OF_WORKER, FROM, TO, BY, Counting.UP_TO)
            .answers(ListCount.class, this::count));
  }

  private Object count(Call call) {
    String group = call.find(Paths.OF_GROUP).orElse(null);
    LedgerStore.Search search = search(call, group);
    Optional<String> task = call.find(OF_TASK);
    if (task.isEmpty()) {
      return counting.answer(call, bound -> stores.counts().ledger(search, bound));
    }
    Long jobId = jobId(required(group), task.get());
    return jobId == null
        ? new ListCount(0, 0, false)
        : counting.answer(call, bound -> stores.counts().ledgerOf(jobId, search, bound));
  }

  private static String required(@Nullable String group) {
    if (group == null) {
      throw Kind.BAD_REQUEST.because("the query parameter 'task' needs a group");
    }
    return group;
  }

  private Object list(Call call) {
    String group = call.find(Paths.OF_GROUP).orElse(null);
    String task = call.find(OF_TASK).orElse(null);
    if (task == null) {
      return all(call, group);
    }
    return ofJob(call, required(group), task);
  }

  /**
   * Searches all jobs. The node group need not exist, because rows of a removed group are history
   * too.
   */
  private HistoryPage all(Call call, @Nullable String group) {
    AgeOrder order = call.get(Paths.ORDER);
    if (call.get(BY) == TimeOf.END && order == AgeOrder.OLDEST_FIRST) {
      // It would examine the whole ledger up to the span.
      throw Kind.BAD_REQUEST.because("by=END needs a task, or order=NEWEST_FIRST");
    }
    LedgerStore.Search whole = search(call, group);
    LedgerStore.Search search =
        call.find(Paths.AFTER)
            .map(text -> beyond(whole, order, Cursor.read(text, 1).number(0)))
            .orElse(whole);
    LedgerStore.Found found = stores.ledger().search(search, order, call.get(Paths.LIMIT), LOOK_AT);
    Long next = found.next();
    return page(call, found.rows(), next == null ? null : Cursor.of(next));
  }

  private static LedgerStore.Search beyond(LedgerStore.Search search, AgeOrder order, long id) {
    boolean goesDown = order == AgeOrder.NEWEST_FIRST;
    return search.within(
        goesDown ? search.fromId() : Math.max(search.fromId(), id + 1),
        goesDown ? Math.min(search.belowId(), id) : search.belowId());
  }

  /**
   * Ids increase with the time of the claim, so a span of claims is a range of ids. What ended
   * before an instant was claimed before it; how long before, nothing bounds.
   */
  private static LedgerStore.Search search(Call call, @Nullable String group) {
    boolean byEnd = call.get(BY) == TimeOf.END;
    Optional<Instant> from = call.find(FROM).map(HistoryRoutes::withinIds);
    Optional<Instant> to = call.find(TO).map(HistoryRoutes::withinIds);
    Optional<Instant> claimedBefore = byEnd ? to.map(end -> end.plus(CLOCKS)) : to;
    return new LedgerStore.Search(
        group,
        call.find(STATUS).orElse(Set.of()),
        call.find(Paths.OF_WORKER).orElse(null),
        byEnd ? 0 : from.map(HistoryRoutes::lowestAt).orElse(0L),
        claimedBefore.map(HistoryRoutes::lowestAt).orElse(Long.MAX_VALUE),
        byEnd ? from.map(Instant::toEpochMilli).orElse(Long.MIN_VALUE) : Long.MIN_VALUE,
        byEnd ? to.map(Instant::toEpochMilli).orElse(Long.MAX_VALUE) : Long.MAX_VALUE);
  }

  /** The nearest instant for which there may be ids: a millisecond beyond, there are none. */
  private static Instant withinIds(Instant at) {
    if (at.isBefore(FIRST)) {
      return FIRST.minusMillis(1);
    }
    return at.isAfter(LAST) ? LAST.plusMillis(1) : at;
  }

  private static long lowestAt(Instant at) {
    if (at.isBefore(FIRST)) {
      return 0;
    }
    return at.isAfter(LAST) ? Long.MAX_VALUE : IdSequence.lowestAt(at.toEpochMilli());
  }

  private HistoryPage ofJob(Call call, String group, String task) {
    Optional<Cursor> after = call.find(Paths.AFTER).map(text -> Cursor.read(text, 3));
    Long jobId = after.isPresent() ? (Long) after.get().number(0) : jobId(group, task);
    if (jobId == null) {
      return new HistoryPage(List.of(), null);
    }
    AgeOrder order = call.get(Paths.ORDER);
    LedgerStore.FoundOfJob found =
        stores
            .ledger()
            .searchJob(
                jobId,
                search(call, group),
                order,
                after
                    .map(place -> new LedgerStore.Place(place.number(1), place.number(2)))
                    .orElseGet(() -> LedgerStore.Place.start(order)),
                call.get(Paths.LIMIT),
                LOOK_AT);
    LedgerStore.Place next = found.next();
    return page(
        call, found.rows(), next == null ? null : Cursor.of(jobId, next.plannedFor(), next.id()));
  }

  private HistoryPage page(Call call, List<LedgerEntry> rows, @Nullable String next) {
    return new HistoryPage(
        HistoryItem.of(rows, stores.results(), call.get(Languages.LANGUAGE)), next);
  }

  /**
   * The job id under which the ledger records the ends of a task id; null if there is none. It is
   * the id of the live job if there is one; otherwise, of the ended recurring job and the latest
   * one-shot of that task id, the one that ended later.
   */
  private @Nullable Long jobId(String group, String task) {
    Optional<KnownJob> known = finder.find(group, task);
    if (known.isPresent() && known.get().isLive()) {
      return known.get().jobId();
    }
    Long oneShot = stores.ledger().searchOneShot(group, task, LOOK_AT_FOR_ONE_SHOT).jobId();
    Long job = known.map(KnownJob::jobId).orElse(null);
    if (oneShot == null || job == null) {
      return oneShot == null ? job : oneShot;
    }
    return lastEnd(oneShot) > lastEnd(job) ? oneShot : job;
  }

  private long lastEnd(long jobId) {
    return stores.ledger().findLatest(jobId, 0, Long.MAX_VALUE, 1).stream()
        .mapToLong(LedgerEntry::id)
        .max()
        .orElse(-1);
  }
}
