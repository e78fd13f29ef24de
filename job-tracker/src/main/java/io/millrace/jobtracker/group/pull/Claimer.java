package io.millrace.jobtracker.group.pull;

import io.millrace.internal.codec.JsonCodec;
import io.millrace.jobtracker.batch.PartRelease;
import io.millrace.jobtracker.batch.RunSplit;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.outcome.TriggerState;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.pipeline.BatchBisection;
import io.millrace.jobtracker.pipeline.TransientFailures;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims triggers for their pulls: moves them from waiting to executing, as many as fit into the
 * replies, in one transaction if possible, and without those that cannot be claimed. Only rows that
 * the transaction deleted go into the executing table: the row count decides which tracker claims
 * them, not any tracker's memory.
 *
 * <p>A trigger of a job that lets one trigger run at a time needs its turn. The transaction writes
 * the job's row first; a trigger that would overlap another is held for its turn, or skipped. That
 * is decided at its due time and never ahead of it. Thread-safe.
 */
public final class Claimer {
  /** The most bytes of parameters in one reply; the triggers beyond it stay waiting. */
  static final long MAX_REPLY_BYTES = 4L << 20;

  /** The most parts of runs that one transaction moves into waiting. */
  private static final int MAX_ROWS = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(Claimer.class);

  private final Stores stores;
  private final JobDefinitions definitions;
  private final OverlapGuard overlap;
  private final Function<Lane, List<BoundTo>> broadcasts;
  private final IdSequence ids;
  private final JsonCodec codec;
  private final Signals signals;

  /**
   * @param overlap decides which triggers may run concurrently
   * @param broadcasts returns the workers that a broadcast of a lane is for; none if they are not
   *     known yet
   * @param signals receives what a claim has stored
   */
  public Claimer(
      Stores stores,
      JobDefinitions definitions,
      OverlapGuard overlap,
      Function<Lane, List<BoundTo>> broadcasts,
      IdSequence ids,
      JsonCodec codec,
      Signals signals) {
    this.stores = stores;
    this.definitions = definitions;
    this.overlap = overlap;
    this.broadcasts = broadcasts;
    this.ids = ids;
    this.codec = codec;
    this.signals = signals;
  }

  /** Claims the triggers that fit into the replies to their pulls. */
  Claimed claim(String group, List<Claim> claims, long now) {
    List<Candidate> candidates = new ArrayList<>();
    Claimed.Progress progress = new Claimed.Progress();
    ReplyBytes replies = new ReplyBytes();
    for (Claim claim : claims) {
      if (replies.isFull(claim.pull())) {
        progress.left.add(claim.trigger().id());
        continue;
      }
      Optional<Candidate> candidate = candidate(claim);
      if (candidate.isPresent() && !candidate.get().fitsItsWorker()) {
        progress.tooEarly.add(claim.trigger().id());
      } else if (candidate.isPresent()) {
        boolean fits = replies.take(claim.pull(), candidate.get().paramsBytes());
        if (fits) {
          candidates.add(candidate.get());
        } else {
          progress.left.add(claim.trigger().id());
        }
      }
    }
    move(group, candidates, now, progress);
    return progress.result(codec);
  }

  /** A trigger of a job that is gone or has a new version has no row, or soon will have none. */
  private Optional<Candidate> candidate(Claim claim) {
    WaitingTrigger trigger = claim.trigger();
    if (trigger.spec() != null) {
      return Optional.of(candidate(claim, trigger.spec(), StoredParams.NONE));
    }
    return definitions
        .find(trigger.jobId(), trigger.jobVersion())
        .map(job -> candidate(claim, trigger.specUnder(job.spec()), job.params()));
  }

  private Candidate candidate(Claim claim, TriggerSpec spec, StoredParams jobParams) {
    return new Candidate(
        claim,
        spec,
        jobParams,
        spec.isBroadcast() ? broadcasts.apply(spec.laneOrPlain()) : List.of());
  }

  /** Claims the candidates together, or in parts if a transaction fails. */
  private void move(String group, List<Candidate> candidates, long now, Claimed.Progress progress) {
    BatchBisection.write(
        candidates,
        part -> moveTogether(group, part, now, progress),
        (part, moved) -> {
          progress.moved(moved);
          signal(group, moved);
        },
        (part, e) -> failed(group, part, e, progress));
  }

  private static void failed(
      String group, List<Candidate> candidates, Throwable why, Claimed.Progress progress) {
    if (TransientFailures.isOfAll(why)) {
      progress.failed(candidates, why);
    } else {
      LOG.error(
          "pull: trigger {} of {} cannot be claimed and stays waiting",
          candidates.get(0).claim().trigger().key(),
          group,
          why);
    }
  }

  /**
   * Moves the candidates whose rows exist; the others were claimed by another tracker, or are gone.
   * All rows are expected to exist. If one does not, the rows are deleted one by one in another
   * transaction.
   */
  private ClaimedRows moveTogether(
      String group, List<Candidate> candidates, long now, Claimed.Progress progress) {
    try {
      return moveInOne(group, candidates, false, now, progress);
    } catch (RaceLostException e) {
      return moveInOne(group, candidates, true, now, progress);
    }
  }

  private ClaimedRows moveInOne(
      String group,
      List<Candidate> candidates,
      boolean rowByRow,
      long now,
      Claimed.Progress progress) {
    return stores
        .transactions()
        .inTransaction(
            "claim from " + group + (rowByRow ? " row by row" : ""),
            () -> {
              OverlapGuard.Asked asked = overlap.ask(candidates, now);
              Map<Long, String> large = largeParams(group, asked.candidates());
              List<Candidate> deleted = delete(group, asked.candidates(), rowByRow);
              ClaimedRows moved = new ClaimedRows();
              moved.areTooEarly(asked.tooEarly());
              for (Candidate candidate : deleted) {
                decide(group, candidate, asked, large, moved, now);
              }
              write(group, asked, moved, now);
              progress.attempted = moved;
              return moved;
            },
            moved -> isStored(group, moved));
  }

  /**
   * Whether the move is stored. The waiting row is locked first, which waits for a claim that may
   * still commit. A row id is never reused, so if nothing is found of what the claim would have
   * made of it, or it would neither run nor be split, it is harmless to claim again.
   */
  private boolean isStored(String group, ClaimedRows moved) {
    if (!moved.split().isEmpty()) {
      Batch first = moved.split().get(0);
      return !stores.waiting().lock(group, moved.rowOf(first))
          && !stores.batches().look(List.of(first.id())).isEmpty();
    }
    if (moved.won().isEmpty()) {
      return false;
    }
    boolean waits = stores.waiting().lock(group, moved.won().get(0).candidate().rowId());
    List<Long> executionIds = moved.won().stream().map(won -> won.execution().id()).toList();
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

  /**
   * Deletes the rows of candidates, and returns the candidates whose rows existed.
   *
   * @throws RaceLostException if a row did not exist, unless rows are deleted one by one
   */
  private List<Candidate> delete(String group, List<Candidate> candidates, boolean rowByRow) {
    List<Long> rowIds = candidates.stream().map(Candidate::rowId).toList();
    if (rowByRow) {
      Set<Long> deleted = stores.waiting().deleteEach(group, rowIds);
      return candidates.stream().filter(c -> deleted.contains(c.rowId())).toList();
    }
    if (stores.waiting().delete(group, rowIds) != rowIds.size()) {
      throw new RaceLostException("a waiting row of " + group + " no longer exists");
    }
    return candidates;
  }

  private void decide(
      String group,
      Candidate candidate,
      OverlapGuard.Asked asked,
      Map<Long, String> large,
      ClaimedRows moved,
      long now) {
    WaitingTrigger row = candidate.trigger();
    ids.observe(row.id());
    WaitingTrigger trigger = row.withParams(row.params().orRead(large.get(row.id())));
    switch (asked.answer(candidate)) {
      case RUNS -> run(won(group, candidate, trigger, now), moved, now);
      case IS_HELD -> moved.waits(trigger.held(ids.next(now)));
      case IS_SKIPPED -> overlap.skip(group, candidate, moved, now);
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
    StoredParams params = trigger.carriesParams() ? trigger.params() : candidate.jobParams();
    boolean mayReduce = candidate.spec().reduce() != null;
    return new Won(candidate, mayReduce ? execution.carrying(params) : execution, params);
  }

  /** A run that is to be split takes no slot: its parts wait for one each. */
  private void run(Won won, ClaimedRows moved, long now) {
    if (won.execution().spec().isSplitByItsClaim()) {
      int rows = Math.max(0, MAX_ROWS - moved.backToWaiting().size());
      int most = Math.min(rows, PartRelease.roomFor(won.params(), moved.bytesOfParts()));
      moved.isSplit(
          won,
          RunSplit.of(won.execution(), won.params(), won.candidate().workers(), most, ids, now));
    } else {
      moved.runs(won);
    }
  }

  private void write(String group, OverlapGuard.Asked asked, ClaimedRows moved, long now) {
    if (!moved.split().isEmpty()) {
      stores.batches().insert(moved.split());
      moved.workersOfSplit().forEach(stores.batches()::bind);
    }
    if (!moved.won().isEmpty()) {
      stores.executing().insert(moved.won().stream().map(Won::execution).toList());
    }
    if (!moved.backToWaiting().isEmpty()) {
      stores.waiting().insert(group, moved.backToWaiting());
    }
    overlap.settle(asked, moved, now);
  }

  private void signal(String group, ClaimedRows moved) {
    if (!moved.backToWaiting().isEmpty()) {
      signals.triggersStored(group, moved.backToWaiting());
    }
    if (!moved.split().isEmpty()) {
      signals.batchesChanged(
          group, moved.split().stream().collect(Collectors.toMap(Batch::id, Batch::progress)));
    }
    if (moved.skipped().stream().anyMatch(end -> end.spec().feedback())) {
      signals.feedbackStored();
    }
  }
}
