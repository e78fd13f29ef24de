package io.millrace.console.api.dead;

import io.millrace.console.api.KeptSummary;
import io.millrace.console.api.Languages;
import io.millrace.console.api.OperatorRequests;
import io.millrace.console.api.Paths;
import io.millrace.console.api.Times;
import io.millrace.console.api.list.Counting;
import io.millrace.console.api.list.ListCount;
import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.console.http.Scope;
import io.millrace.console.http.Scope.Referred;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.outcome.CauseWords;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.store.DeadStore;
import io.millrace.jobtracker.store.DeadStore.Place;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.kept.KeptStore.Run;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Routes to view and discard triggers that ended DEAD. */
public record DeadRoutes(Stores stores, Counting counting, Clock clock) {
  static final Param<Long> ID =
      Param.path(
          "id", ParamForm.id(), "Id of the dead trigger, which is the id of its last execution");
  static final Resource ALL = Resource.of("Dead", Paths.V1 + "/dead");
  static final Resource ONE = ALL.below("/{id}", ID);

  /** The most attempts of a trigger that are shown, the latest ones. */
  private static final int MOST_ATTEMPTS = 50;

  private static final JsonCodec CODEC = new JsonCodec();

  /**
   * A page of dead triggers. A page may hold fewer items than the limit, or none, although a next
   * page exists: a search by task id, or for those that are like another one, examines a bounded
   * number of rows.
   */
  public record DeadPage(List<DeadTriggerSummary> items, @Nullable String next) {}

  /**
   * How one attempt ended.
   *
   * @param startedAt by the worker's clock
   * @param message the worker's message
   */
  public record DeadAttempt(
      String executionId,
      int attempt,
      String status,
      @Nullable String cause,
      @Nullable String workerId,
      @Nullable Instant startedAt,
      Instant finishedAt,
      @Nullable String message) {}

  /**
   * A dead trigger with its attempts, parameters and replay.
   *
   * @param attempts latest first, the last 50 of them
   * @param params the parameters it ran with; null if the job's definition holds them
   * @param replayStatus how the last attempt of its replay ended; null if there is no replay, or no
   *     attempt of the replay has ended
   * @param kept what a replay finds done; null if that is nothing, or if it was replayed
   */
  public record DeadDetail(
      DeadTriggerSummary trigger,
      @Nullable String handler,
      @Nullable String workerId,
      @Nullable String message,
      @Nullable Map<String, String> params,
      List<DeadAttempt> attempts,
      @Nullable String replayStatus,
      @Nullable KeptSummary kept) {}

  /** What the id of a dead trigger refers to. */
  static Referred referred(DeadStore store, long id) {
    return new Referred(store.find(id).map(DeadTrigger::nodeGroup), noDead(id));
  }

  private static String noDead(long id) {
    return "there is no dead trigger " + id;
  }

  /** The scope of the routes for the dead trigger of {@link #ID}. */
  static Scope scope(DeadStore store) {
    return Scope.ofIds(call -> List.of(referred(store, call.get(ID))));
  }

  private List<Referred> alike(Call call) {
    return call.find(DeadFilter.LIKE).map(id -> referred(stores.dead(), id)).stream().toList();
  }

  public List<Route> routes() {
    return List.of(
        ALL.get("", "listDead", "Dead triggers, in order of the time when they died")
            .within(Scope.inQuery(DeadFilter.GROUP).and(this::alike))
            .with(
                DeadFilter.GROUP,
                DeadFilter.TASK,
                DeadFilter.STATE,
                DeadFilter.FROM,
                DeadFilter.TO,
                DeadFilter.LIKE,
                Languages.LANGUAGE,
                Paths.ORDER,
                Paths.AFTER,
                Paths.LIMIT)
            .answers(DeadPage.class, this::list),
        ALL.get(
                "/count",
                "countDead",
                "The number of dead triggers; the newest of each state are examined")
            .with(
                DeadFilter.GROUP,
                DeadFilter.TASK,
                DeadFilter.STATE,
                DeadFilter.FROM,
                DeadFilter.TO,
                Counting.UP_TO)
            .answers(ListCount.class, this::count),
        ONE.get("", "getDead", "A dead trigger, its attempts and its parameters")
            .within(scope(stores.dead()))
            .with(Languages.LANGUAGE)
            .answers(DeadDetail.class, this::get),
        ONE.post("/discard", "discardDead", "Discards a dead trigger")
            .within(scope(stores.dead()))
            .with(Languages.LANGUAGE)
            .answers(DeadTriggerSummary.class, this::discard));
  }

  private Object count(Call call) {
    return counting.answer(call, bound -> stores.counts().dead(DeadFilter.of(call), bound));
  }

  private Object list(Call call) {
    DeadStore.Query query = DeadFilter.of(call);
    AgeOrder order = call.get(Paths.ORDER);
    Place behind = DeadFilter.read(call.find(Paths.AFTER).orElse(null));
    int limit = call.get(Paths.LIMIT);
    DeadStore.Found found =
        call.find(DeadFilter.LIKE)
            .map(id -> find(stores.dead(), id))
            .map(
                like ->
                    new AlikeSearch(stores.dead(), stores.ledger())
                        .search(query, order, like, behind, limit))
            .orElseGet(() -> stores.dead().search(query, order, behind, limit, DeadFilter.LOOK_AT));
    FirstLines messages = FirstLines.read(stores.ledger(), found.dead());
    Locale language = call.get(Languages.LANGUAGE);
    return new DeadPage(
        found.dead().stream().map(dead -> DeadTriggerSummary.of(dead, messages, language)).toList(),
        DeadFilter.write(found.last()));
  }

  private Object get(Call call) {
    DeadTrigger dead = find(stores.dead(), call.get(ID));
    List<LedgerEntry> rows =
        stores
            .ledger()
            .findLatest(dead.jobId(), dead.plannedFor(), dead.plannedFor(), MOST_ATTEMPTS)
            .stream()
            .filter(row -> row.key().equals(dead.key()))
            .toList();
    Locale language = call.get(Languages.LANGUAGE);
    LedgerEntry last = rows.stream().filter(row -> row.id() == dead.id()).findFirst().orElse(null);
    return new DeadDetail(
        summary(dead, language),
        last == null ? null : last.origin().handler(),
        last == null ? null : last.workerId(),
        last == null ? null : last.message(),
        paramsOf(dead),
        rows.stream().map(row -> attempt(row, language)).toList(),
        replayStatus(dead),
        KeptSummary.of(stores.kept().list(Run.of(dead))));
  }

  static DeadTrigger find(DeadStore store, long id) {
    return store.find(id).orElseThrow(() -> Kind.NOT_FOUND.because(noDead(id)));
  }

  private @Nullable Map<String, String> paramsOf(DeadTrigger dead) {
    if (dead.isOfRecurringJob() && !dead.key().isExtra()) {
      return null;
    }
    String json = dead.params().json();
    return json == null ? Map.of() : CODEC.decodeStrings(json);
  }

  private static DeadAttempt attempt(LedgerEntry row, Locale language) {
    return new DeadAttempt(
        String.valueOf(row.id()),
        row.attempt(),
        row.status().name(),
        CauseWords.say(row.cause(), language),
        row.workerId(),
        Times.instant(row.times().startedAt()),
        Instant.ofEpochMilli(row.times().finishedAt()),
        row.message());
  }

  /**
   * Reads the status of the replay. The replay of a one-shot is a new job; the replay of a
   * recurring job's trigger belongs to that job.
   */
  private @Nullable String replayStatus(DeadTrigger dead) {
    DeadTrigger.Replay replay = dead.replay();
    if (replay == null) {
      return null;
    }
    long jobId = dead.isOfRecurringJob() ? dead.jobId() : replay.id();
    Stream<LedgerEntry> ends =
        stores
            .ledger()
            .findLatest(jobId, dead.plannedFor(), dead.plannedFor(), MOST_ATTEMPTS)
            .stream()
            .filter(row -> Long.valueOf(dead.id()).equals(row.origin().replayOf()));
    return ends.findFirst().map(row -> row.status().name()).orElse(null);
  }

  /** Discarding a trigger twice is harmless; the first operator stays on record. */
  private Object discard(Call call) {
    long id = call.get(ID);
    DeadTrigger before = find(stores.dead(), id);
    if (before.state() == DeadState.OPEN) {
      Settlement left =
          new Settlement(clock.millis(), OperatorRequests.nameOf(call.caller()), null);
      boolean unused = stores.dead().settle(id, left);
    }
    DeadTrigger now = find(stores.dead(), id);
    if (now.state() == DeadState.REPLAYED) {
      throw Kind.CONFLICT.because(
          "dead trigger " + id + " has already been replayed" + replayedAs(now));
    }
    return summary(now, call.get(Languages.LANGUAGE));
  }

  private DeadTriggerSummary summary(DeadTrigger dead, Locale language) {
    return DeadTriggerSummary.of(dead, FirstLines.read(stores.ledger(), List.of(dead)), language);
  }

  private static String replayedAs(DeadTrigger dead) {
    return dead.replay() == null ? "" : " as " + dead.replay().id();
  }
}
