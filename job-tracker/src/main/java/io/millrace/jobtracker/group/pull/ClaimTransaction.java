package io.millrace.jobtracker.group.pull;

import io.millrace.jobtracker.domain.outcome.TriggerState;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Moves triggers from waiting to executing in one transaction. Only rows that this transaction
 * deleted go into the executing table: the row count decides which tracker claims them, not any
 * tracker's memory. Thread-safe.
 */
final class ClaimTransaction {
  private final Stores stores;
  private final OverlapGuard turns;
  private final IdSequence ids;
  private final Signals signals;

  ClaimTransaction(Stores stores, OverlapGuard turns, IdSequence ids, Signals signals) {
    this.stores = stores;
    this.turns = turns;
    this.ids = ids;
    this.signals = signals;
  }

  /**
   * Moves the candidates whose rows exist; the others were claimed by another tracker, or are gone.
   *
   * @param attempted receives the rows that each attempt would move, before its commit
   * @throws UnknownOutcomeException if it is not known whether the last attempt took effect
   */
  ClaimedRows move(
      String group, List<Candidate> candidates, long now, Consumer<ClaimedRows> attempted) {
    try {
      return moveAll(group, candidates, now, attempted);
    } catch (RaceLostException e) {
      return moveEach(group, candidates, now, attempted);
    }
  }

  private ClaimedRows moveAll(
      String group, List<Candidate> candidates, long now, Consumer<ClaimedRows> attempted) {
    return moveInOne(
        group,
        "claim from " + group,
        candidates,
        now,
        attempted,
        there -> {
          List<Long> rowIds = there.stream().map(Candidate::rowId).toList();
          if (stores.waiting().delete(group, rowIds) != rowIds.size()) {
            throw new RaceLostException("a waiting row of " + group + " no longer exists");
          }
          return there;
        });
  }

  private ClaimedRows moveEach(
      String group, List<Candidate> candidates, long now, Consumer<ClaimedRows> attempted) {
    return moveInOne(
        group,
        "claim from " + group + " row by row",
        candidates,
        now,
        attempted,
        there -> {
          Set<Long> deleted =
              stores.waiting().deleteEach(group, there.stream().map(Candidate::rowId).toList());
          return there.stream().filter(c -> deleted.contains(c.rowId())).toList();
        });
  }

  /**
   * Moves candidates in one transaction.
   *
   * @param delete deletes their rows and returns the candidates whose rows existed
   */
  private ClaimedRows moveInOne(
      String group,
      String name,
      List<Candidate> candidates,
      long now,
      Consumer<ClaimedRows> attempted,
      UnaryOperator<List<Candidate>> delete) {
    ClaimedRows moved =
        stores
            .transactions()
            .inTransaction(
                name,
                () -> {
                  OverlapGuard.Asked asked = turns.ask(candidates, now);
                  Map<Long, String> large = largeParams(group, asked.candidates());
                  List<Candidate> deleted = delete.apply(asked.candidates());
                  ClaimedRows move = new ClaimedRows();
                  move.areTooEarly(asked.tooEarly());
                  for (Candidate candidate : deleted) {
                    decide(group, candidate, asked, large, move, now);
                  }
                  write(group, asked, move, now);
                  attempted.accept(move);
                  return move;
                },
                move -> isStored(group, move));
    signal(group, moved);
    return moved;
  }

  /**
   * Whether the move is stored. The waiting row is locked first, which waits for a claim that may
   * still commit. A row id is never reused, so if no execution is found, or no trigger was claimed,
   * it is harmless to claim again.
   */
  private boolean isStored(String group, ClaimedRows move) {
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
      ClaimedRows move,
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

  private void write(String group, OverlapGuard.Asked asked, ClaimedRows move, long now) {
    if (!move.won().isEmpty()) {
      stores.executing().insert(move.won().stream().map(Won::execution).toList());
    }
    if (!move.backToWaiting().isEmpty()) {
      stores.waiting().insert(group, move.backToWaiting());
    }
    turns.settle(asked, move, now);
  }

  private void signal(String group, ClaimedRows moved) {
    if (!moved.backToWaiting().isEmpty()) {
      signals.triggersStored(group, moved.backToWaiting());
    }
    if (moved.skipped().stream().anyMatch(end -> end.spec().feedback())) {
      signals.feedbackStored();
    }
  }
}
