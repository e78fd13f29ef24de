package io.millrace.common.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a job has or has not run, and what happens next, as the tracker's rows say it.
 *
 * @param nodeGroup the group that was asked about
 * @param taskId the task id that was asked about
 * @param asOf when the rows were read, by the tracker's clock
 * @param facts in the order in which a person wants to read them: what it is, what happens next,
 *     what happened, latest first
 * @param similarTaskIds task ids of living jobs of the group that look like the one asked about;
 *     empty unless nothing is known of that one
 */
public record Explanation(
    String nodeGroup, String taskId, Instant asOf, List<Fact> facts, List<String> similarTaskIds) {

  public Explanation {
    facts = List.copyOf(facts);
    similarTaskIds = List.copyOf(similarTaskIds);
  }

  /**
   * One thing there is to say.
   *
   * @param kind what it is about, for programs
   * @param at the instant it is about, if there is one
   * @param text a sentence for people
   */
  public record Fact(FactKind kind, @Nullable Instant at, String text) {}

  /** Whether anything is known of the job. */
  public boolean isFound() {
    return facts.stream().noneMatch(fact -> fact.kind() == FactKind.NOT_FOUND);
  }
}
