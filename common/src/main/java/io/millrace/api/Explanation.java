package io.millrace.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a job has or has not run, and what happens next, according to the tracker's rows.
 *
 * @param nodeGroup the group of the question
 * @param taskId the task id of the question
 * @param asOf when the rows were read, by the tracker's clock
 * @param facts in reading order: what the job is, what happens next, what happened, latest first
 * @param similarTaskIds similar task ids of live jobs of the group; empty unless the job is unknown
 */
public record Explanation(
    String nodeGroup, String taskId, Instant asOf, List<Fact> facts, List<String> similarTaskIds) {

  public Explanation {
    facts = List.copyOf(facts);
    similarTaskIds = List.copyOf(similarTaskIds);
  }

  /**
   * One statement about the job.
   *
   * @param kind the subject, for programs
   * @param at the instant of the fact; null if there is none
   * @param text a sentence for people
   */
  public record Fact(FactKind kind, @Nullable Instant at, String text) {}

  /** Whether the job is known. */
  public boolean isFound() {
    return facts.stream().noneMatch(fact -> fact.kind() == FactKind.NOT_FOUND);
  }
}
