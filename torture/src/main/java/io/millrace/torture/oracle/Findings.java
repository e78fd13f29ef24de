package io.millrace.torture.oracle;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the checks have found so far. Not thread-safe. */
final class Findings {
  private final Map<Promise, Integer> broken = new EnumMap<>(Promise.class);
  private final List<String> sentences = new ArrayList<>();
  private final Map<String, Integer> tallies = new TreeMap<>();
  private long longestGap;

  /** A promise was broken. The sentence names the job, the executions and the times. */
  void broken(Promise promise, String sentence) {
    broken.merge(promise, 1, Integer::sum);
    sentences.add(promise + ": " + sentence);
  }

  /** Something that is as it should be, but worth counting. */
  void tally(String what) {
    tallies.merge(what, 1, Integer::sum);
  }

  void gap(long millis) {
    longestGap = Math.max(longestGap, millis);
  }

  int count(Promise promise) {
    return broken.getOrDefault(promise, 0);
  }

  List<String> sentences() {
    return List.copyOf(sentences);
  }

  long longestGap() {
    return longestGap;
  }

  /** One line for each thing that was counted. */
  List<String> notes() {
    return tallies.entrySet().stream()
        .map(tally -> tally.getKey() + ": " + tally.getValue())
        .toList();
  }
}
