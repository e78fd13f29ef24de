package io.millrace.jobtracker.group.pull;

import io.millrace.common.codec.JsonCodec;
import io.millrace.common.model.Assignment;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.pipeline.TransientFailures;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims triggers for their pulls: as many as fit into the replies, in one transaction if possible,
 * and without those that cannot be claimed.
 *
 * <p>A trigger of a job that lets one trigger run at a time needs its turn. The transaction writes
 * the job's row first; a trigger that would overlap another is held for its turn, or skipped. That
 * is decided at its due time and never ahead of it. Thread-safe.
 */
public final class Claimer {
  /** The most bytes of parameters in one reply; the triggers beyond it stay waiting. */
  static final long MAX_REPLY_BYTES = 4L << 20;

  private static final Logger LOG = LoggerFactory.getLogger(Claimer.class);

  private final JobDefinitions definitions;
  private final ClaimTransaction transaction;
  private final JsonCodec codec;

  /**
   * @param overlap decides which triggers may run concurrently
   * @param signals receives what a claim has stored
   */
  public Claimer(
      Stores stores,
      JobDefinitions definitions,
      OverlapGuard overlap,
      IdSequence ids,
      JsonCodec codec,
      Signals signals) {
    this.definitions = definitions;
    this.transaction = new ClaimTransaction(stores, overlap, ids, signals);
    this.codec = codec;
  }

  /**
   * The result of a claim. The claim may have used several transactions, of which the first
   * committed and the last failed: triggers that were claimed are assigned even so.
   *
   * @param assignments the assignments for each pull
   * @param pulls the pull of every execution that exists now, or may exist
   * @param left rows that still wait: they fit into no reply, or could not be claimed
   * @param tooEarly rows that still wait, and can be claimed at their due time at the earliest
   * @param failure why some could not be claimed
   */
  record Claimed(
      Map<ParkedPull, List<Assignment>> assignments,
      Map<Long, ParkedPull> pulls,
      List<Long> left,
      List<Long> tooEarly,
      Optional<RuntimeException> failure) {

    /** The result of a claim that failed before its first transaction: all rows still wait. */
    static Claimed nothing(List<Long> rows, RuntimeException failure) {
      return new Claimed(Map.of(), Map.of(), rows, List.of(), Optional.of(failure));
    }

    /** All assignments. */
    List<Assignment> won() {
      return assignments.values().stream().flatMap(List::stream).toList();
    }
  }

  /** The progress of a claim. Not thread-safe. */
  private static final class Progress {
    final List<Won> won = new ArrayList<>();

    /** The triggers that are claimed if a commit of unknown outcome took effect. */
    final List<Won> inDoubt = new ArrayList<>();

    final List<Long> left = new ArrayList<>();
    final List<Long> tooEarly = new ArrayList<>();

    /** The rows of the last transaction. */
    ClaimedRows attempted = new ClaimedRows();

    @Nullable RuntimeException failure;

    void failed(List<Candidate> candidates, RuntimeException why) {
      candidates.forEach(candidate -> left.add(candidate.rowId()));
      failure = why;
    }
  }

  Claimed claim(String group, List<Claim> claims, long now) {
    List<Candidate> candidates = new ArrayList<>();
    Progress progress = new Progress();
    ReplyBytes replies = new ReplyBytes();
    for (Claim claim : claims) {
      if (replies.isFull(claim.pull())) {
        progress.left.add(claim.trigger().id());
        continue;
      }
      Optional<Candidate> candidate = candidate(claim);
      if (candidate.isPresent()) {
        boolean fits = replies.take(claim.pull(), candidate.get().paramsBytes());
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

  /** A trigger of a job that is gone or has a new version has no row, or soon will have none. */
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
   * Claims the candidates together. If the store fails or the tracker's number has lapsed, no
   * trigger is the cause, and nothing more is tried. After any other failure the candidates are
   * claimed in halves, until only the trigger that causes the failure remains.
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
      ClaimedRows moved =
          transaction.move(group, candidates, now, attempt -> progress.attempted = attempt);
      progress.won.addAll(moved.won());
      progress.tooEarly.addAll(moved.tooEarly());
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
            "pull: trigger {} of {} cannot be claimed and stays waiting",
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

  private Claimed claimed(Progress progress) {
    Map<ParkedPull, List<Assignment>> assignments = new HashMap<>();
    Map<Long, ParkedPull> pulls = new LinkedHashMap<>();
    for (Won one : progress.won) {
      ParkedPull pull = one.candidate().claim().pull();
      pulls.put(one.execution().id(), pull);
      assignments.computeIfAbsent(pull, p -> new ArrayList<>()).add(one.assignment(codec));
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
}
