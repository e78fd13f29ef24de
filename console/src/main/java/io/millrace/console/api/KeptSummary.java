package io.millrace.console.api;

import io.millrace.jobtracker.store.kept.KeptStore.Kept;
import io.millrace.jobtracker.store.kept.KeptStore.Kind;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run keeps for its next attempt or its replay, without the values.
 *
 * @param checkpointAt when the last checkpoint was stored; null if there is none
 * @param steps the steps that are done, the earliest first
 */
public record KeptSummary(@Nullable Instant checkpointAt, List<StepDone> steps) {

  /**
   * A step that is done: no attempt runs it again.
   *
   * @param at when its value was stored
   * @param fault whether its value could not be stored, so that later attempts fail at it
   */
  public record StepDone(String name, Instant at, boolean fault) {}

  /** The summary of these rows; null if there is neither a step nor a checkpoint. */
  public static @Nullable KeptSummary of(List<Kept> rows) {
    List<StepDone> steps =
        rows.stream()
            .filter(row -> row.kind() == Kind.STEP || row.kind() == Kind.FAULT)
            .map(
                row ->
                    new StepDone(
                        row.name(), Instant.ofEpochMilli(row.at()), row.kind() == Kind.FAULT))
            .toList();
    Instant checkpointAt =
        rows.stream()
            .filter(row -> row.kind() == Kind.CHECKPOINT)
            .map(row -> Instant.ofEpochMilli(row.at()))
            .findFirst()
            .orElse(null);
    return steps.isEmpty() && checkpointAt == null ? null : new KeptSummary(checkpointAt, steps);
  }
}
