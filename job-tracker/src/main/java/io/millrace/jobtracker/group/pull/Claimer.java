package io.millrace.jobtracker.group.pull;

import io.millrace.common.codec.Codec;
import io.millrace.common.model.Assignment;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.TriggerState;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.pipeline.TransientFailures;
import io.millrace.jobtracker.store.RaceLostException;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.UnknownOutcomeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves triggers from waiting to executing. Only rows that this transaction deleted itself go into
 * the executing table and out to a worker: the row count decides who won, no tracker's memory does.
 *
 * <p>A trigger of a job of which one may run at a time has to have its turn: the transaction writes
 * the job's row first, and a trigger that would overlap becomes one that waits for its turn, or is
 * skipped. That is decided at its time and never ahead of it. Thread-safe.
 */
public final class Claimer {
  /** Parameters in one reply; what is beyond stays waiting. */
  static final long MAX_REPLY_BYTES = 4L << 20;

  private static final Logger LOG = LoggerFactory.getLogger(Claimer.class);

  private final Stores stores;
  private final JobDefinitions definitions;
  private final OverlapGuard turns;
  private final IdSequence ids;
  private final Codec codec;
  private final Signals signals;

  /**
   * @param turns decides which triggers may run beside which
   * @param signals told what a claim has stored
   */
  public Claimer(
      Stores stores,
      JobDefinitions definitions,
      OverlapGuard turns,
      IdSequence ids,
      Codec codec,
      Signals signals) {
    this.stores = stores;
    this.definitions = definitions;
    this.turns = turns;
    this.ids = ids;
    this.codec = codec;
    this.signals = signals;
  }

  /**
   * What a claim came to. It may have gone in several transactions, of which the first committed
   * and the last failed: what was won goes out all the same.
   *
   * @param assignments what to answer each pull
   * @param pulls the pull of every execution that exists now, or may exist for all that is known
   * @param left rows that still wait: they fit into no reply, or could not be claimed
   * @param tooEarly rows that still wait, and can be claimed at their time at the earliest
   * @param failure why some could not be claimed
   */
  record Claimed(
      Map<ParkedPull, List<Assignment>> assignments,
      Map<Long, ParkedPull> pulls,
      List<Long> left,
      List<Long> tooEarly,
      Optional<RuntimeException> failure) {}

  /** A claim whose job is known: what it becomes if it is won. */
  record Candidate(Claim claim, TriggerSpec spec, StoredParams jobParams) {
    WaitingTrigger trigger() {
      return claim.trigger();
    }

    long rowId() {
      return claim.trigger().id();
    }

    long paramsBytes() {
      return (trigger().carriesParams() ? trigger().params() : jobParams).bytes();
    }

    /** Whether another trigger of the job may keep it from running. */
    boolean needsItsTurn() {
      return trigger().isOfRecurringJob()
          && !trigger().begun()
          && spec.overlapPolicy().isExclusive();
    }
  }

  record Won(Candidate candidate, Execution execution, StoredParams params) {}

  /** How far a claim has come. Not thread-safe. */
  private static final class Progress {
    final List<Won> won = new ArrayList<>();

    /** What would be won if a commit of unknown outcome took effect. */
    final List<Won> inDoubt = new ArrayList<>();

    final List<Long> left = new ArrayList<>();
    final List<Long> tooEarly = new ArrayList<>();

    /** Of the transaction that ran last. */
    Move attempted = new Move();

    @Nullable RuntimeException failure;

    void failed(List<Candidate> candidates, RuntimeException why) {
      candidates.forEach(candidate -> left.add(candidate.rowId()));
      failure = why;
    }
  }

  Claimed claim(String group, List<Claim> claims, long now) {
    List<Candidate> candidates = new ArrayList<>();
    Progress progress = new Progress();
    ReplyRoom room = new ReplyRoom();
    for (Claim claim : claims) {
      if (room.isFull(claim.pull())) {
        progress.left.add(claim.trigger().id());
        continue;
      }
      Optional<Candidate> candidate = candidate(claim);
      if (candidate.isPresent()) {
        boolean fits = room.take(claim.pull(), candidate.get().paramsBytes());
        if (fits) {
          candidates.add(candidate.get());
        } else {
          progress.left.add(claim.trigger().id());
        }
      }
    }
    move(group, candidates, now, progress);
    return claimed(progress);
  }

  /**
   * What each reply holds so far. The first that does not fit ends its reply, so that order is kept
   * and large definitions are not read in vain; one alone always fits.
   */
  private static final class ReplyRoom {
    private final Map<ParkedPull, Long> bytes = new HashMap<>();
    private final Set<ParkedPull> full = new HashSet<>();

    boolean isFull(ParkedPull pull) {
      return full.contains(pull);
    }

    boolean take(ParkedPull pull, long more) {
      long sum = bytes.getOrDefault(pull, 0L) + more;
      if (sum > MAX_REPLY_BYTES && bytes.containsKey(pull)) {
        full.add(pull);
        return false;
      }
      bytes.put(pull, sum);
      return true;
    }
  }

  /** A trigger whose job has moved on has no row any more, or will have none in a moment. */
  private Optional<Candidate> candidate(Claim claim) {
    WaitingTrigger trigger = claim.trigger();
    if (trigger.spec() != null) {
      return Optional.of(new Candidate(claim, trigger.spec(), StoredParams.NONE));
    }
    return definitions
        .find(trigger.jobId(), trigger.jobVersion())
        .map(job -> new Candidate(claim, trigger.specUnder(job.spec()), job.params()));
  }

  /**
   * Nobody is to blame for a store that fails, or a number that has lapsed, and nothing more is
   * tried then. Otherwise what cannot be moved together goes in halves, until only the guilty one
   * stays.
   */
  private void move(String group, List<Candidate> candidates, long now, Progress progress) {
    if (candidates.isEmpty()) {
      return;
    }
    if (progress.failure != null) {
      progress.failed(candidates, progress.failure);
      return;
    }
    try {
      progress.won.addAll(moveThoseThere(group, candidates, now, progress));
    } catch (UnknownOutcomeException e) {
      progress.inDoubt.addAll(progress.attempted.won());
      progress.failed(candidates, e);
    } catch (RuntimeException e) {
      if (TransientFailures.isOfAll(e)) {
        progress.failed(candidates, e);
        return;
      }
      if (candidates.size() == 1) {
        LOG.error(
            "pull: trigger {} of {} cannot be claimed; it stays waiting",
            candidates.get(0).claim().trigger().key(),
            group,
            e);
        return;
      }
      int half = candidates.size() / 2;
      move(group, candidates.subList(0, half), now, progress);
      move(group, candidates.subList(half, candidates.size()), now, progress);
    }
  }

  private List<Won> moveThoseThere(
      String group, List<Candidate> candidates, long now, Progress progress) {
    try {
      return moveAll(group, candidates, now, progress);
    } catch (RaceLostException e) {
      return moveEach(group, candidates, now, progress);
    }
  }

  private List<Won> moveAll(String group, List<Candidate> candidates, long now, Progress progress) {
    return moveInOne(
        group,
        "claim from " + group,
        candidates,
        now,
        progress,
        there -> {
          List<Long> rowIds = there.stream().map(Candidate::rowId).toList();
          if (stores.waiting().delete(group, rowIds) != rowIds.size()) {
            throw new RaceLostException("a waiting row of " + group + " is gone");
          }
          return there;
        });
  }

  private List<Won> moveEach(
      String group, List<Candidate> candidates, long now, Progress progress) {
    return moveInOne(
        group,
        "claim from " + group + " row by row",
        candidates,
        now,
        progress,
        there -> {
          Set<Long> deleted =
              stores.waiting().deleteEach(group, there.stream().map(Candidate::rowId).toList());
          return there.stream().filter(c -> deleted.contains(c.rowId())).toList();
        });
  }

  /**
   * Moves candidates in one transaction.
   *
   * @param delete deletes their rows and returns those that were there
   */
  private List<Won> moveInOne(
      String group,
      String name,
      List<Candidate> candidates,
      long now,
      Progress progress,
      UnaryOperator<List<Candidate>> delete) {
    Move moved =
        stores
            .transactions()
            .inTransaction(
                name,
                () -> {
                  OverlapGuard.Asked asked = turns.ask(candidates, now);
                  Map<Long, String> large = largeParams(group, asked.candidates());
                  List<Candidate> deleted = delete.apply(asked.candidates());
                  Move move = new Move();
                  move.areTooEarly(asked.tooEarly());
                  for (Candidate candidate : deleted) {
                    decide(group, candidate, asked, large, move, now);
                  }
                  write(group, asked, move, now);
                  progress.attempted = move;
                  return move;
                },
                move -> isStored(group, move));
    tell(group, moved);
    progress.tooEarly.addAll(moved.tooEarly());
    return moved.won();
  }

  /**
   * The waiting row is asked first, which waits for a claim that may yet commit. A row id is never
   * used again: if nothing of it is found, or nothing was won, to claim once more is harmless.
   */
  private boolean isStored(String group, Move move) {
    if (move.won().isEmpty()) {
      return false;
    }
    boolean waits = stores.waiting().lock(group, move.won().get(0).candidate().rowId());
    List<Long> executionIds = move.won().stream().map(won -> won.execution().id()).toList();
    return !waits && !stores.executing().find(executionIds).isEmpty();
  }

  private Map<Long, String> largeParams(String group, List<Candidate> candidates) {
    List<Long> large =
        candidates.stream()
            .filter(c -> c.trigger().params().isLeftInStore())
            .map(Candidate::rowId)
            .toList();
    return large.isEmpty() ? Map.of() : stores.waiting().readParams(group, large);
  }

  private void decide(
      String group,
      Candidate candidate,
      OverlapGuard.Asked asked,
      Map<Long, String> large,
      Move move,
      long now) {
    WaitingTrigger row = candidate.trigger();
    ids.observe(row.id());
    WaitingTrigger trigger = row.withParams(row.params().orRead(large.get(row.id())));
    switch (asked.answer(candidate)) {
      case RUNS -> move.runs(won(group, candidate, trigger, now));
      case IS_HELD -> move.waits(trigger.held(ids.next(now)));
      case IS_SKIPPED -> turns.skip(group, candidate, move, now);
    }
  }

  private Won won(String group, Candidate candidate, WaitingTrigger trigger, long now) {
    TriggerState.WAITING.to(TriggerState.EXECUTING, trigger.key());
    Execution execution =
        Execution.claim(
            ids.next(now),
            group,
            trigger,
            candidate.spec(),
            candidate.claim().pull().worker.nodeId(),
            now);
    return new Won(
        candidate, execution, trigger.carriesParams() ? trigger.params() : candidate.jobParams());
  }

  private void write(String group, OverlapGuard.Asked asked, Move move, long now) {
    if (!move.won().isEmpty()) {
      stores.executing().insert(move.won().stream().map(Won::execution).toList());
    }
    if (!move.backToWaiting().isEmpty()) {
      stores.waiting().insert(group, move.backToWaiting());
    }
    turns.settle(asked, move, now);
  }

  private void tell(String group, Move moved) {
    signals.triggersStored(group, moved.backToWaiting());
    if (moved.skipped().stream().anyMatch(end -> end.spec().feedback())) {
      signals.feedbackStored();
    }
  }

  private Claimed claimed(Progress progress) {
    Map<ParkedPull, List<Assignment>> assignments = new HashMap<>();
    Map<Long, ParkedPull> pulls = new LinkedHashMap<>();
    for (Won one : progress.won) {
      ParkedPull pull = one.candidate().claim().pull();
      pulls.put(one.execution().id(), pull);
      assignments.computeIfAbsent(pull, p -> new ArrayList<>()).add(assignment(one));
    }
    for (Won one : progress.inDoubt) {
      pulls.put(one.execution().id(), one.candidate().claim().pull());
    }
    return new Claimed(
        assignments,
        pulls,
        progress.left,
        progress.tooEarly,
        Optional.ofNullable(progress.failure));
  }

  private Assignment assignment(Won won) {
    Execution execution = won.execution();
    String json = won.params().json();
    return new Assignment(
        execution.id(),
        execution.nodeGroup(),
        execution.key().taskId(),
        Instant.ofEpochMilli(execution.plannedFor()),
        execution.key().ordinal(),
        Instant.ofEpochMilli(execution.dueAt()),
        execution.attempt(),
        1 + execution.spec().retry().maxRetries(),
        execution.spec().handler(),
        json == null ? Map.of() : codec.decodeStrings(json),
        execution.spec().timeout(),
        execution.spec().trace());
  }
}
