package io.millrace.jobtracker.group.pull;

import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The result of a claim. The claim may have used several transactions, of which the first committed
 * and the last failed: triggers that were claimed are assigned even so.
 *
 * @param assignments the assignments for each pull
 * @param pulls the pull of every execution that exists now, or may exist
 * @param left rows that still wait: they fit into no reply, or could not be claimed
 * @param tooEarly rows that still wait, and can be claimed at their due time at the earliest; if
 *     that has come, their workers cannot run them, and others may in a moment
 * @param failure why some could not be claimed
 */
record Claimed(
    Map<ParkedPull, List<Assignment>> assignments,
    Map<Long, ParkedPull> pulls,
    List<Long> left,
    List<Long> tooEarly,
    Optional<Throwable> failure) {

  /** The result of a claim that failed before its first transaction: all rows still wait. */
  static Claimed nothing(List<Long> rows, RuntimeException failure) {
    return new Claimed(Map.of(), Map.of(), rows, List.of(), Optional.of(failure));
  }

  /** All assignments. */
  List<Assignment> won() {
    return assignments.values().stream().flatMap(List::stream).toList();
  }

  /** The progress of a claim. Not thread-safe. */
  static final class Progress {
    final List<Won> won = new ArrayList<>();

    /** The triggers that are claimed if a commit of unknown outcome took effect. */
    final List<Won> inDoubt = new ArrayList<>();

    final List<Long> left = new ArrayList<>();
    final List<Long> tooEarly = new ArrayList<>();

    /** The rows that the last attempt to commit would move. */
    ClaimedRows attempted = new ClaimedRows();

    @Nullable Throwable failure;

    void moved(ClaimedRows rows) {
      won.addAll(rows.won());
      tooEarly.addAll(rows.tooEarly());
    }

    void failed(List<Candidate> candidates, Throwable why) {
      if (why instanceof UnknownOutcomeException) {
        inDoubt.addAll(attempted.won());
      }
      candidates.forEach(candidate -> left.add(candidate.rowId()));
      failure = why;
    }

    Claimed result(JsonCodec codec) {
      Map<ParkedPull, List<Assignment>> assignments = new HashMap<>();
      Map<Long, ParkedPull> pulls = new LinkedHashMap<>();
      for (Won one : won) {
        ParkedPull pull = one.candidate().claim().pull();
        pulls.put(one.execution().id(), pull);
        assignments.computeIfAbsent(pull, p -> new ArrayList<>()).add(one.assignment(codec));
      }
      for (Won one : inDoubt) {
        pulls.put(one.execution().id(), one.candidate().claim().pull());
      }
      return new Claimed(assignments, pulls, left, tooEarly, Optional.ofNullable(failure));
    }
  }
}
