package io.millrace.jobtracker.pull;

import io.millrace.common.codec.Codec;
import io.millrace.common.model.Assignment;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.TriggerState;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.signal.Signals;
import io.millrace.jobtracker.store.DuplicateKeyException;
import io.millrace.jobtracker.store.RaceLostException;
import io.millrace.jobtracker.store.Stores;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves triggers from waiting to executing. Only rows that this transaction deleted itself go into
 * the executing table and out to a worker: the row count decides who won, no tracker's memory does.
 *
 * <p>A trigger of a job of which one may run at a time has to have its turn: the transaction writes
 * the job's row first, and a trigger that would overlap becomes one that waits for its turn, or is
 * skipped. Thread-safe.
 */
public final class Claimer {
  /** Parameters in one reply; what is beyond stays waiting. */
  static final long MAX_REPLY_BYTES = 4L << 20;

  private static final Logger LOG = LoggerFactory.getLogger(Claimer.class);

  private final Stores stores;
  private final JobDefinitions definitions;
  private final TurnKeeper turns;
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
      TurnKeeper turns,
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
   * What a claim won.
   *
   * @param assignments what to answer each pull
   * @param pulls the pull of every execution that exists now
   * @param left rows that were not asked for, because they fit into no reply
   */
  record Claimed(
      Map<ParkedPull, List<Assignment>> assignments,
      Map<Long, ParkedPull> pulls,
      List<Long> left) {}

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

  Claimed claim(String group, List<Claim> claims, long now) {
    List<Candidate> candidates = new ArrayList<>();
    List<Long> left = new ArrayList<>();
    ReplyRoom room = new ReplyRoom();
    for (Claim claim : claims) {
      if (room.isFull(claim.pull())) {
        left.add(claim.trigger().id());
        continue;
      }
      Optional<Candidate> candidate = candidate(claim);
      if (candidate.isPresent()) {
        boolean fits = room.take(claim.pull(), candidate.get().paramsBytes());
        if (fits) {
          candidates.add(candidate.get());
        } else {
          left.add(claim.trigger().id());
        }
      }
    }
    return claimed(move(group, candidates, now), left);
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

  private List<Won> move(String group, List<Candidate> candidates, long now) {
    if (candidates.isEmpty()) {
      return List.of();
    }
    try {
      return moveThoseThere(group, candidates, now);
    } catch (DuplicateKeyException e) {
      if (candidates.size() == 1) {
        LOG.error(
            "pull: trigger {} of {} is executing and waiting at once; it stays waiting",
            candidates.get(0).claim().trigger().key(),
            group,
            e);
        return List.of();
      }
      int half = candidates.size() / 2;
      List<Won> won = new ArrayList<>(move(group, candidates.subList(0, half), now));
      won.addAll(move(group, candidates.subList(half, candidates.size()), now));
      return won;
    }
  }

  private List<Won> moveThoseThere(String group, List<Candidate> candidates, long now) {
    try {
      return moveAll(group, candidates, now);
    } catch (RaceLostException e) {
      return moveEach(group, candidates, now);
    }
  }

  private List<Won> moveAll(String group, List<Candidate> candidates, long now) {
    return moveInOne(
        group,
        "claim from " + group,
        candidates,
        now,
        there -> {
          List<Long> rowIds = there.stream().map(Candidate::rowId).toList();
          if (stores.waiting().delete(group, rowIds) != rowIds.size()) {
            throw new RaceLostException("a waiting row of " + group + " is gone");
          }
          return there;
        });
  }

  private List<Won> moveEach(String group, List<Candidate> candidates, long now) {
    return moveInOne(
        group,
        "claim from " + group + " row by row",
        candidates,
        now,
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
      UnaryOperator<List<Candidate>> delete) {
    Move moved =
        stores
            .transactions()
            .inTransaction(
                name,
                () -> {
                  TurnKeeper.Asked asked = turns.ask(candidates);
                  Map<Long, String> large = largeParams(group, asked.candidates());
                  List<Candidate> deleted = delete.apply(asked.candidates());
                  Move move = new Move();
                  for (Candidate candidate : deleted) {
                    decide(group, candidate, asked, large, move, now);
                  }
                  write(group, asked, move, now);
                  return move;
                });
    tell(group, moved);
    return moved.won();
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
      TurnKeeper.Asked asked,
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

  private void write(String group, TurnKeeper.Asked asked, Move move, long now) {
    if (!move.won().isEmpty()) {
      stores.executing().insert(move.won().stream().map(Won::execution).toList());
    }
    if (!move.backToWaiting().isEmpty()) {
      stores.waiting().insert(group, move.backToWaiting());
    }
    turns.settle(asked, move, now);
  }

  private void tell(String group, Move moved) {
    moved.backToWaiting().stream()
        .filter(row -> !row.isHeld())
        .mapToLong(WaitingTrigger::dueAt)
        .min()
        .ifPresent(due -> signals.triggersStored(group, due));
    if (moved.skipped().stream().anyMatch(end -> end.spec().feedback())) {
      signals.feedbackStored();
    }
  }

  private Claimed claimed(List<Won> won, List<Long> left) {
    Map<ParkedPull, List<Assignment>> assignments = new HashMap<>();
    Map<Long, ParkedPull> pulls = new LinkedHashMap<>();
    for (Won one : won) {
      ParkedPull pull = one.candidate().claim().pull();
      pulls.put(one.execution().id(), pull);
      assignments.computeIfAbsent(pull, p -> new ArrayList<>()).add(assignment(one));
    }
    return new Claimed(assignments, pulls, left);
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
        execution.spec().timeout());
  }
}
