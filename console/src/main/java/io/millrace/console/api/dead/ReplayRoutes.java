package io.millrace.console.api.dead;

import io.millrace.console.api.OperatorRequests;
import io.millrace.console.http.Call;
import io.millrace.console.http.Limit;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Route;
import io.millrace.console.http.Scope;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.domain.outcome.ReplayResult.Status;
import io.millrace.jobtracker.store.DeadStore;
import io.millrace.jobtracker.store.DeadStore.Place;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Routes to replay dead triggers. */
public record ReplayRoutes(DeadStore store, OperatorRequests requests, Clock clock) {
  private static final int USUALLY_AT_ONCE = 100;
  private static final int MOST_AT_ONCE = 500;

  /** The bound for counting the remaining triggers. */
  private static final int COUNTED = 10_000;

  /** No replay begins after this time, so that the answer arrives in time. */
  private static final Duration BEGIN_WITHIN = Duration.ofSeconds(20);

  /**
   * A request to replay one dead trigger.
   *
   * @param params new parameters; null keeps those of the dead trigger
   * @param keepSucceeded of a run that was split: true runs only the parts that have not succeeded;
   *     not together with params
   */
  public record ReplayWish(@Nullable Map<String, String> params, @Nullable Boolean keepSucceeded) {}

  /**
   * A request to replay many dead triggers: those with these ids, or else all open ones that match
   * the filters, the first to die first.
   *
   * @param ids of dead triggers, at most 500; allowed only with params, or alone
   * @param nodeGroup matches triggers of this node group
   * @param taskId matches task ids with this prefix
   * @param from matches triggers that died at this instant or later
   * @param to matches triggers that died before this instant
   * @param after the next of the previous answer
   * @param limit the most triggers to replay: 1 to 500; 100 if null
   * @param params new parameters for all of them; null keeps those of each dead trigger
   * @param keepSucceeded as for one dead trigger; those that were not split are refused
   */
  public record ReplayManyWish(
      @Nullable List<String> ids,
      @Nullable String nodeGroup,
      @Nullable String taskId,
      @Nullable Instant from,
      @Nullable Instant to,
      @Nullable String after,
      @Nullable Integer limit,
      @Nullable Map<String, String> params,
      @Nullable Boolean keepSucceeded) {}

  /**
   * The result for one dead trigger.
   *
   * @param replayId id of the trigger that replays it, written now or before; null if there is none
   * @param message what happens next, or why it was not replayed
   */
  public record ReplayAnswer(String id, Status status, @Nullable String replayId, String message) {}

  /**
   * The result for many dead triggers.
   *
   * @param replayed number of triggers replayed by this request
   * @param left number of requested triggers that were not tried; with filters, open ones only,
   *     counted up to 10,000
   * @param next where the next request continues; null if no rows remain to be examined
   */
  public record ReplayManyAnswer(
      int replayed, List<ReplayAnswer> items, int left, @Nullable String next) {}

  public List<Route> routes() {
    return List.of(
        DeadRoutes.ONE
            .post(
                "/replay",
                "replayDead",
                "Runs a dead trigger again, as a new trigger; once for each dead trigger")
            .within(DeadRoutes.scope(store))
            .mayTake(ReplayWish.class)
            .answers(ReplayAnswer.class, this::replayOne),
        DeadRoutes.ALL
            .post("/replay", "replayManyDead", "Runs many dead triggers again")
            .within(Scope.inBody(this::allowed))
            .takes(ReplayManyWish.class)
            .answers(ReplayManyAnswer.class, this::replayMany));
  }

  /** A limited token names its node group, or dead triggers of its node groups only. */
  private Call allowed(Call call, Limit limit) {
    ReplayManyWish wish = call.body(ReplayManyWish.class);
    if (wish.ids() != null) {
      requireCount(wish.ids());
      for (String id : wish.ids()) {
        Scope.require(DeadRoutes.referred(store, readId(id)), limit);
      }
      return call;
    }
    String instead = "name one of them as nodeGroup";
    if (wish.nodeGroup() == null) {
      throw limit.refused(instead);
    }
    limit.requireNamed(wish.nodeGroup(), instead);
    return call;
  }

  private static void requireCount(List<String> ids) {
    if (ids.isEmpty() || ids.size() > MOST_AT_ONCE) {
      throw Kind.REJECTED.because("the number of ids must be between 1 and " + MOST_AT_ONCE);
    }
  }

  private Object replayOne(Call call) throws Exception {
    long id = call.get(DeadRoutes.ID);
    DeadTrigger unused = DeadRoutes.find(store, id);
    ReplayWish wish = call.body(ReplayWish.class);
    ReplayResult result = replay(call, id, wish.params(), wish.keepSucceeded());
    return switch (result.status()) {
      case REPLAYED -> answer(id, result);
      case NOT_FOUND -> throw Kind.NOT_FOUND.because(result.message());
      case REPLAYED_BEFORE, REFUSED -> throw Kind.CONFLICT.because(result.message());
      case BAD_PARAMS -> throw Kind.REJECTED.because(result.message());
    };
  }

  private ReplayResult replay(
      Call call, long id, @Nullable Map<String, String> params, @Nullable Boolean keepSucceeded)
      throws Exception {
    return OperatorRequests.await(
        requests.replay(call.caller(), id, params, Boolean.TRUE.equals(keepSucceeded)));
  }

  private Object replayMany(Call call) throws Exception {
    ReplayManyWish wish = call.body(ReplayManyWish.class);
    return wish.ids() == null ? replayWanted(call, wish) : replayIds(call, wish, wish.ids());
  }

  private Object replayIds(Call call, ReplayManyWish wish, List<String> ids) throws Exception {
    if (isFiltered(wish) || wish.after() != null || wish.limit() != null) {
      throw Kind.REJECTED.because("ids cannot be combined with a filter, limit or after");
    }
    requireCount(ids);
    List<Long> wanted = ids.stream().map(ReplayRoutes::readId).distinct().toList();
    Round round = new Round(call, wish);
    for (long id : wanted) {
      if (!round.take(id)) {
        break;
      }
    }
    return round.answer(wanted.size() - round.answers.size(), null);
  }

  /**
   * Replays what matches the filters. At least one filter is required, so that an empty request
   * does not replay every dead trigger.
   */
  private Object replayWanted(Call call, ReplayManyWish wish) throws Exception {
    if (!isFiltered(wish)) {
      throw Kind.REJECTED.because(
          "give either ids, or at least one of nodeGroup, taskId, from and to");
    }
    Integer limit = wish.limit();
    if (limit != null && (limit < 1 || limit > MOST_AT_ONCE)) {
      throw Kind.REJECTED.because("limit must be between 1 and " + MOST_AT_ONCE);
    }
    DeadStore.Query query =
        DeadFilter.query(wish.nodeGroup(), wish.taskId(), DeadState.OPEN, wish.from(), wish.to());
    DeadStore.Found found =
        store.search(
            query,
            AgeOrder.OLDEST_FIRST,
            DeadFilter.read(wish.after()),
            limit == null ? USUALLY_AT_ONCE : limit,
            DeadFilter.LOOK_AT);
    Round round = new Round(call, wish);
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
    return store.count(query, behind, COUNTED);
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
      throw Kind.BAD_REQUEST.because("one of the ids is not a 64-bit number");
    }
  }

  /** Replays the triggers of one request one by one, each in its own transaction. */
  private final class Round {
    private final Call call;
    private final ReplayManyWish wish;
    private final long until = clock.millis() + BEGIN_WITHIN.toMillis();
    private final List<ReplayAnswer> answers = new ArrayList<>();

    private Round(Call call, ReplayManyWish wish) {
      this.call = call;
      this.wish = wish;
    }

    /** Replays one trigger; returns false if the time is over. */
    private boolean take(long id) throws Exception {
      if (clock.millis() > until) {
        return false;
      }
      ReplayResult result = replay(call, id, wish.params(), wish.keepSucceeded());
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

  private static ReplayAnswer answer(long id, ReplayResult result) {
    Long replayId = result.replayId();
    return new ReplayAnswer(
        String.valueOf(id),
        result.status(),
        replayId == null ? null : String.valueOf(replayId),
        result.message());
  }
}
