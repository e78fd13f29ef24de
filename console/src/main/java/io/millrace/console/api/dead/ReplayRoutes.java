package io.millrace.console.api.dead;

import io.millrace.common.time.Clock;
import io.millrace.console.http.Call;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Route;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.domain.outcome.ReplayResult.Status;
import io.millrace.jobtracker.store.DeadStore;
import io.millrace.jobtracker.store.DeadStore.Place;
import io.millrace.jobtracker.store.Stores;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Dead triggers that are to run again. */
public final class ReplayRoutes {
  private static final int USUALLY_AT_ONCE = 100;
  private static final int MOST_AT_ONCE = 500;

  /** How far what is left is counted. */
  private static final int COUNTED = 10_000;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** No further one is begun after this, so that the answer comes in time. */
  private static final Duration BEGIN_WITHIN = Duration.ofSeconds(20);

  private final Stores stores;
  private final Replays replays;
  private final Clock clock;

  public ReplayRoutes(Stores stores, Replays replays, Clock clock) {
    this.stores = stores;
    this.replays = replays;
    this.clock = clock;
  }

  /** Writes a new trigger in the place of a dead one. */
  @FunctionalInterface
  public interface Replays {
    CompletionStage<ReplayResult> replay(
        long deadId, @Nullable Map<String, String> params, String by);
  }

  /**
   * How one is to be replayed.
   *
   * @param params other parameters; null for those of before
   */
  public record ReplayWish(@Nullable Map<String, String> params) {}

  /**
   * Which ones are to be replayed: those of these ids, or else all open ones that the rest wants,
   * the first to die first.
   *
   * @param ids of dead triggers, 500 at most; with them goes nothing of the rest but params
   * @param nodeGroup those of this node group
   * @param taskId those whose task id begins like this
   * @param from those that died at this instant or later
   * @param to those that died before this instant
   * @param after what the request before gave as next
   * @param limit how many at most, 100 unless told, 500 at most
   * @param params other parameters, for all of them; null for those of before
   */
  public record ReplayManyWish(
      @Nullable List<String> ids,
      @Nullable String nodeGroup,
      @Nullable String taskId,
      @Nullable Instant from,
      @Nullable Instant to,
      @Nullable String after,
      @Nullable Integer limit,
      @Nullable Map<String, String> params) {}

  /**
   * What became of one.
   *
   * @param replayId the trigger that was written in its place, now or before
   * @param message what happens next, or why it was not replayed
   */
  public record ReplayAnswer(String id, Status status, @Nullable String replayId, String message) {}

  /**
   * What became of many.
   *
   * @param replayed how many were replayed now
   * @param left how many open ones are left of what was wanted and not tried, counted to 10,000
   * @param next to go on with, if any are left to be looked at
   */
  public record ReplayManyAnswer(
      int replayed, List<ReplayAnswer> items, int left, @Nullable String next) {}

  public List<Route> routes() {
    return List.of(
        Route.post(
                DeadRoutes.PATH + "/{id}/replay",
                "replayDead",
                "Runs a dead trigger again, as a new trigger; once for each")
            .about("Dead")
            .with(DeadRoutes.ID)
            .mayTake(ReplayWish.class)
            .answers(ReplayAnswer.class)
            .by(this::replayOne),
        Route.post(DeadRoutes.PATH + "/replay", "replayManyDead", "Runs many dead triggers again")
            .about("Dead")
            .takes(ReplayManyWish.class)
            .answers(ReplayManyAnswer.class)
            .by(this::replayMany));
  }

  private Object replayOne(Call call) throws Exception {
    long id = call.get(DeadRoutes.ID);
    DeadTrigger unused = DeadRoutes.find(stores, id);
    ReplayResult result = replay(call, id, call.body(ReplayWish.class).params());
    return switch (result.status()) {
      case REPLAYED -> answer(id, result);
      case NOT_FOUND -> throw Kind.NOT_FOUND.because(result.message());
      case REPLAYED_BEFORE, REFUSED -> throw Kind.CONFLICT.because(result.message());
      case BAD_PARAMS -> throw Kind.REJECTED.because(result.message());
    };
  }

  private Object replayMany(Call call) throws Exception {
    ReplayManyWish wish = call.body(ReplayManyWish.class);
    return wish.ids() == null ? replayWanted(call, wish) : replayIds(call, wish, wish.ids());
  }

  private Object replayIds(Call call, ReplayManyWish wish, List<String> ids) throws Exception {
    if (isFiltered(wish) || wish.after() != null || wish.limit() != null) {
      throw Kind.REJECTED.because("with ids goes no filter, no limit and no after");
    }
    if (ids.isEmpty() || ids.size() > MOST_AT_ONCE) {
      throw Kind.REJECTED.because("ids are 1 to " + MOST_AT_ONCE);
    }
    List<Long> wanted = ids.stream().map(ReplayRoutes::readId).distinct().toList();
    Round round = new Round(call, wish.params());
    for (long id : wanted) {
      if (!round.take(id)) {
        break;
      }
    }
    return round.answer(wanted.size() - round.answers.size(), null);
  }

  /** Nothing is asked for by leaving everything out: that would be all there is. */
  private Object replayWanted(Call call, ReplayManyWish wish) throws Exception {
    if (!isFiltered(wish)) {
      throw Kind.REJECTED.because(
          "say which: ids, or at least one of nodeGroup, taskId, from and to");
    }
    Integer limit = wish.limit();
    if (limit != null && (limit < 1 || limit > MOST_AT_ONCE)) {
      throw Kind.REJECTED.because("limit is 1 to " + MOST_AT_ONCE);
    }
    DeadStore.Query query =
        DeadFilter.query(wish.nodeGroup(), wish.taskId(), DeadState.OPEN, wish.from(), wish.to());
    DeadStore.Found found =
        stores
            .dead()
            .search(
                query,
                DeadStore.Order.OLDEST_FIRST,
                DeadFilter.read(wish.after()),
                limit == null ? USUALLY_AT_ONCE : limit,
                DeadFilter.LOOK_AT);
    Round round = new Round(call, wish.params());
    Place reached = DeadFilter.read(wish.after());
    for (DeadTrigger dead : found.dead()) {
      if (!round.take(dead.id())) {
        return round.answer(left(query, reached), DeadFilter.write(reached));
      }
      reached = new Place(dead.diedAt(), dead.id());
    }
    Place last = found.last();
    return round.answer(last == null ? 0 : left(query, last), DeadFilter.write(last));
  }

  private int left(DeadStore.Query query, @Nullable Place behind) {
    return stores.dead().count(query, behind, COUNTED);
  }

  private static boolean isFiltered(ReplayManyWish wish) {
    return wish.nodeGroup() != null
        || wish.taskId() != null
        || wish.from() != null
        || wish.to() != null;
  }

  private static long readId(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw Kind.BAD_REQUEST.because("one of the ids is no number of 64 bits");
    }
  }

  /** Replays of one request, one after the other: each is a transaction of its own. */
  private final class Round {
    private final Call call;
    private final @Nullable Map<String, String> params;
    private final long until = clock.millis() + BEGIN_WITHIN.toMillis();
    private final List<ReplayAnswer> answers = new ArrayList<>();

    private Round(Call call, @Nullable Map<String, String> params) {
      this.call = call;
      this.params = params;
    }

    /** Replays one, unless the time is over. */
    private boolean take(long id) throws Exception {
      if (clock.millis() > until) {
        return false;
      }
      ReplayResult result = replay(call, id, params);
      if (result.status() == Status.BAD_PARAMS) {
        throw Kind.REJECTED.because(result.message());
      }
      answers.add(ReplayRoutes.answer(id, result));
      return true;
    }

    private ReplayManyAnswer answer(int left, @Nullable String next) {
      int replayed = (int) answers.stream().filter(one -> one.status() == Status.REPLAYED).count();
      return new ReplayManyAnswer(replayed, answers, left, next);
    }
  }

  private ReplayResult replay(Call call, long id, @Nullable Map<String, String> params)
      throws Exception {
    try {
      return replays
          .replay(id, params, DeadRoutes.operator(call))
          .toCompletableFuture()
          .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }

  private static ReplayAnswer answer(long id, ReplayResult result) {
    Long replayId = result.replayId();
    return new ReplayAnswer(
        String.valueOf(id),
        result.status(),
        replayId == null ? null : String.valueOf(replayId),
        result.message());
  }
}
