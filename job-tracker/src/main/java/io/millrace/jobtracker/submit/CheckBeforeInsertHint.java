package io.millrace.jobtracker.submit;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether the one-shots of a node group are looked for in the waiting table before they are
 * inserted. Most task ids are new, so they are inserted at once, and one that waits already shows
 * when the unique key refuses it: the batch is then done again and looks first. That costs most of
 * a batch, and a look a fifth of one; so the next {@value #BATCHES} batches of that group look,
 * too, counted anew whenever one of them finds something. An application that replaces the same
 * task ids all the time pays for one refusal, and one that does it now and then for a few looks.
 * Nothing depends on it but speed. Thread-safe.
 */
final class CheckBeforeInsertHint {
  static final int BATCHES = 5;

  /** How many more batches look, by node group; the others do not. */
  private final Map<String, Integer> batches = new ConcurrentHashMap<>();

  boolean isDueIn(String group) {
    return batches.containsKey(group);
  }

  /** A task id of the group was waiting already. */
  void met(String group) {
    batches.put(group, BATCHES);
  }

  /** A batch has looked and found nothing. */
  void foundNothing(String group) {
    batches.computeIfPresent(group, (name, left) -> left == 1 ? null : left - 1);
  }
}
