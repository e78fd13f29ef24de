package io.millrace.jobtracker.submit;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides whether a submit looks for the one-shots of a node group in the waiting table before it
 * inserts them. Most task ids are new, so they are inserted at once. If a task id is already
 * waiting, the unique key rejects the insert, and the batch is repeated with a look first. A
 * repetition costs most of a batch, a look a fifth of one. So the next {@value #BATCHES} batches of
 * that group look first too; the count restarts whenever one of them finds a waiting task id. An
 * application that always replaces the same task ids pays for one rejection; one that does so
 * occasionally pays for a few looks. Only speed depends on this hint. Thread-safe.
 */
final class CheckBeforeInsertHint {
  static final int BATCHES = 5;

  /** The number of further batches that look first, by node group; other groups do not look. */
  private final Map<String, Integer> batches = new ConcurrentHashMap<>();

  boolean isDueIn(String group) {
    return batches.containsKey(group);
  }

  /** Records that a task id of the group was already waiting. */
  void met(String group) {
    batches.put(group, BATCHES);
  }

  /** Records that a batch has looked and found nothing. */
  void foundNothing(String group) {
    batches.computeIfPresent(group, (name, left) -> left == 1 ? null : left - 1);
  }
}
