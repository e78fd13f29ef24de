package io.millrace.jobtracker.submit.change;

import io.millrace.internal.lifecycle.Completions;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.batch.RunStopper.Stopped;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchProgress;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Replay;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.domain.outcome.ReplayResult.Status;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.Submission;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerRecord;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.submit.change.KeepingReplay.Prepared;
import io.millrace.jobtracker.submit.job.FeatureGate;
import io.millrace.jobtracker.submit.job.InvalidJobException;
import io.millrace.jobtracker.submit.job.JobValidator;
import io.millrace.jobtracker.submit.job.LockedJobs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a new trigger in place of a dead one; it is due at once and has all its attempts again.
 * Each dead trigger is replayed at most once, even if several requests arrive: the mark on its row
 * is written in the same transaction and decides. Thread-safe.
 */
public final class ReplayDead {
  private final Stores stores;
  private final LockedJobs locked;
  private final RecurringReplay recurring;
  private final PartReplay parts;
  private final KeepingReplay keeping;
  private final JobValidator validator;
  private final FeatureGate features;
  private final IdSequence ids;
  private final JobChanges changes;
  private final TimedExecutor time;

  /**
   * @param keepParts how long parts are kept after the end of their run
   */
  public ReplayDead(
      EngineContext engine,
      LockedJobs locked,
      JobValidator validator,
      FeatureGate features,
      JobChanges changes,
      Duration keepParts) {
    this.stores = engine.stores();
    this.locked = locked;
    this.recurring = new RecurringReplay(stores, locked, engine.ids());
    this.parts = new PartReplay(stores);
    this.keeping = new KeepingReplay(stores, engine.ids(), keepParts);
    this.validator = validator;
    this.features = features;
    this.ids = engine.ids();
    this.changes = changes;
    this.time = engine.time();
  }

  /**
   * A valid request.
   *
   * @param params null if the request has no parameters
   * @param kept the copied parts, if what succeeded does not run again
   */
  private record Asked(
      DeadTrigger dead, @Nullable StoredParams params, String by, @Nullable Prepared kept) {
    private Submission submission() {
      return Submission.replay(dead.id(), by);
    }
  }

  /**
   * Replays a dead trigger. The answer is sent after the commit.
   *
   * @param params new parameters; null for the job's current ones if the schedule made the trigger,
   *     or else the previous ones
   * @param by the name of the requester
   */
  public CompletableFuture<ReplayResult> replay(
      long id, @Nullable Map<String, String> params, String by) {
    StoredParams own;
    try {
      own = params == null ? null : validator.paramsOf(params);
    } catch (InvalidJobException e) {
      return CompletableFuture.completedFuture(ReplayResult.not(Status.BAD_PARAMS, e.describe()));
    }
    return carryOut(id, () -> find(id, FeatureLevel.NONE).map(it -> new Asked(it, own, by, null)));
  }

  /**
   * Replays a dead run that was split, without the parts that succeeded: the new run takes over
   * their results. The answer is sent after the commit.
   */
  public CompletableFuture<ReplayResult> replayKeeping(long id, String by) {
    return carryOut(
        id,
        () ->
            find(id, FeatureLevel.REPLAYS)
                .map(
                    dead ->
                        new Asked(
                            dead,
                            null,
                            by,
                            dead.replay() == null
                                ? keeping.prepare(dead, time.clock().millis())
                                : null)));
  }

  private CompletableFuture<ReplayResult> carryOut(long id, Supplier<Optional<Asked>> asked) {
    return CompletableFuture.supplyAsync(asked, time.executor())
        .thenCompose(
            found ->
                found.isEmpty()
                    ? CompletableFuture.completedFuture(unknown(id))
                    : replay(found.get()))
        .exceptionally(ReplayDead::answerOf);
  }

  /**
   * Finds the dead trigger. Every tracker must know what it uses, as when it was submitted: a
   * one-shot may have been dead while the required level was lowered.
   */
  private Optional<DeadTrigger> find(long id, FeatureLevel least) {
    Optional<DeadTrigger> found = stores.dead().find(id);
    String refusal =
        found
            .map(ReplayDead::neededBy)
            .map(level -> level.covers(least) ? level : least)
            .map(features::refusal)
            .orElse(null);
    if (refusal != null) {
      throw NotReplayedException.refused(refusal);
    }
    return found;
  }

  private static FeatureLevel neededBy(DeadTrigger dead) {
    TriggerSpec spec = dead.spec();
    if (PartKey.of(dead.core()).isPresent()) {
      return FeatureLevel.REPLAYS;
    }
    return spec == null ? FeatureLevel.NONE : spec.neededLevel();
  }

  private CompletableFuture<ReplayResult> replay(Asked asked) {
    DeadTrigger dead = asked.dead();
    String group = dead.nodeGroup();
    return changes.carryOut(
        "replay",
        group,
        dead.key().taskId(),
        refused("node group " + group + " was removed"),
        now -> replayOnce(asked, now));
  }

  private static ReplayResult answerOf(Throwable failure) {
    if (Completions.causeOf(failure) instanceof NotReplayedException refusal) {
      return refusal.result();
    }
    throw failure instanceof CompletionException thrown ? thrown : new CompletionException(failure);
  }

  /** Locks the job's row first, so that the job is neither edited nor ended meanwhile. */
  private Change<ReplayResult> replayOnce(Asked asked, long now) {
    DeadTrigger dead = asked.dead();
    Optional<JobDefinition> job =
        dead.isOfRecurringJob() ? locked.find(dead.jobId()) : Optional.empty();
    Optional<DeadTrigger> found = stores.dead().find(dead.id());
    if (found.isEmpty()) {
      return Change.none(unknown(dead.id()));
    }
    Replay before = found.get().replay();
    if (before != null) {
      return Change.none(replayedBefore(found.get(), before));
    }
    ids.observe(dead.id());
    Optional<PartKey> part = PartKey.of(dead.core());
    if (part.isPresent()) {
      return replayOfPart(asked, part.get(), now);
    }
    return dead.isOfRecurringJob() ? replayOfJob(asked, job, now) : replayOfOneShot(asked, now);
  }

  /** The replay is named by its batch and number: it waits in no table until it is released. */
  private Change<ReplayResult> replayOfPart(Asked asked, PartKey part, long now) {
    DeadTrigger dead = asked.dead();
    PartReplay.Answer answer = parts.add(dead, part, asked.params());
    TriggerRecord row = answer.replay();
    BatchProgress progress = answer.progress();
    if (row == null || progress == null) {
      return Change.none(refused(answer.message()));
    }
    Replay replay = new Replay(row.jobId(), row.key().ordinal());
    settle(asked, replay, row, now);
    return new Change<>(
        new ReplayResult(Status.REPLAYED, replay.id(), row.key(), answer.message()),
        Change.NO_TRIGGER,
        Stopped.NOTHING,
        Map.of(part.batchId(), progress),
        false,
        () -> stores.dead().isReplayedAs(dead.id(), replay));
  }

  private Change<ReplayResult> replayOfJob(Asked asked, Optional<JobDefinition> found, long now) {
    DeadTrigger dead = asked.dead();
    RecurringReplay.Answer answer =
        recurring.of(dead, found, asked.params(), asked.submission(), now);
    if (answer.row() == null) {
      throw NotReplayedException.refused(answer.message());
    }
    if (asked.kept() != null && answer.row().isHeld()) {
      throw NotReplayedException.refused(
          "a run of " + nameOf(dead) + " is in progress; ask again when it has ended");
    }
    settle(asked, replayAs(answer.row()), answer.row(), now);
    if (asked.kept() != null) {
      return opened(dead, keeping.open(dead, asked.kept(), found, answer.row(), now), answer.row());
    }
    stores.waiting().insert(dead.nodeGroup(), List.of(answer.row()));
    return stored(dead, answer.row(), answer.message());
  }

  /**
   * Takes the task id for a replayed one-shot like a submit: inserts it into the waiting table
   * first, then checks whether the task id is in use in the other tables. Before that, the dead
   * trigger is marked, so that another replay of it is not mistaken for a different one-shot.
   */
  private Change<ReplayResult> replayOfOneShot(Asked asked, long now) {
    DeadTrigger dead = asked.dead();
    String group = dead.nodeGroup();
    List<String> taskId = List.of(dead.key().taskId());
    WaitingTrigger row = oneShot(asked, now);
    settle(asked, replayAs(row), row, now);
    if (!stores.waiting().findOneShots(group, taskId).isEmpty()) {
      throw NotReplayedException.refused(taken(dead, "a one-shot of its task id is waiting"));
    }
    try {
      stores.waiting().insert(group, List.of(row));
    } catch (DuplicateKeyException e) {
      throw new RaceLostException(
          "a concurrent submit of " + nameOf(dead) + " was committed first");
    }
    String occupant = occupantOf(group, taskId);
    if (occupant != null) {
      throw NotReplayedException.refused(taken(dead, occupant));
    }
    if (asked.kept() == null) {
      return stored(dead, row, "runs now");
    }
    int unused = stores.waiting().delete(group, List.of(row.id()));
    return opened(dead, keeping.open(dead, asked.kept(), Optional.empty(), row, now), row);
  }

  /** The run waits in no table: it is split from the start. */
  private Change<ReplayResult> opened(DeadTrigger dead, Batch batch, WaitingTrigger row) {
    return new Change<>(
        new ReplayResult(
            Status.REPLAYED,
            row.id(),
            row.key(),
            "runs now as batch " + batch.id() + ", without the parts that succeeded"),
        Change.NO_TRIGGER,
        Stopped.NOTHING,
        Map.of(batch.id(), batch.progress()),
        false,
        () -> stores.dead().isReplayedAs(dead.id(), replayAs(row)));
  }

  private static String taken(DeadTrigger dead, String occupant) {
    return "the task id of " + nameOf(dead) + " is in use: " + occupant;
  }

  private @Nullable String occupantOf(String group, List<String> taskId) {
    Stream<String> executions =
        stores.runs().findByTasks(group, taskId).stream()
            .map(execution -> "execution " + execution.id() + " is running");
    Stream<String> jobs =
        stores.jobs().findByTasks(group, taskId).stream()
            .filter(job -> job.state().isLive())
            .map(job -> "a recurring job of its task id is " + job.state());
    return Stream.concat(executions, jobs).findFirst().orElse(null);
  }

  private WaitingTrigger oneShot(Asked asked, long now) {
    DeadTrigger dead = asked.dead();
    TriggerSpec spec = Objects.requireNonNull(dead.spec(), "the trigger of a one-shot has no spec");
    long id = ids.next(now);
    return new WaitingTrigger(
        id,
        new TriggerCore(dead.key(), id, 0, dead.plannedFor(), 1),
        now,
        dead.priority(),
        now,
        spec.askedBy(asked.submission()),
        asked.params() == null ? dead.params() : asked.params(),
        false,
        null,
        null,
        spec.placement());
  }

  /** Marks the dead trigger, and hands what it kept to its replay. */
  private void settle(Asked asked, Replay replay, TriggerRecord row, long now) {
    if (!stores.dead().settle(asked.dead().id(), new Settlement(now, asked.by(), replay))) {
      throw new RaceLostException(
          "dead trigger " + asked.dead().id() + " was settled in the meantime");
    }
    stores.kept().replayed(asked.dead().nodeGroup(), asked.dead(), row, now);
  }

  private static Replay replayAs(WaitingTrigger row) {
    return new Replay(row.id(), row.key().ordinal());
  }

  private Change<ReplayResult> stored(DeadTrigger dead, WaitingTrigger row, String message) {
    return new Change<>(
        new ReplayResult(Status.REPLAYED, row.id(), row.key(), message),
        row.isHeld() ? Change.NO_TRIGGER : row.dueAt(),
        Stopped.NOTHING,
        false,
        () -> stores.dead().isReplayedAs(dead.id(), replayAs(row)));
  }

  private static ReplayResult unknown(long id) {
    return ReplayResult.not(Status.NOT_FOUND, "there is no dead trigger " + id);
  }

  private static ReplayResult refused(String why) {
    return ReplayResult.not(Status.REFUSED, why);
  }

  private static ReplayResult replayedBefore(DeadTrigger dead, Replay replay) {
    Settlement settlement = Objects.requireNonNull(dead.settlement());
    return new ReplayResult(
        Status.REPLAYED_BEFORE,
        replay.id(),
        null,
        "dead trigger "
            + dead.id()
            + " has already been replayed as "
            + replay.id()
            + ", by "
            + settlement.by());
  }

  private static String nameOf(DeadTrigger dead) {
    return dead.nodeGroup() + "/" + dead.key().taskId();
  }
}
