package io.millrace.torture.oracle;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The findings of the checks so far. Not thread-safe. */
final class Findings {
  private final Map<Promise, Integer> broken = new EnumMap<>(Promise.class);
  private final List<String> sentences = new ArrayList<>();
  private final Map<String, Integer> tallies = new TreeMap<>();
  private long longestGap;

  /** Records a broken promise. The sentence names the job, the executions and the times. */
  void broken(Promise promise, String sentence) {
    broken.merge(promise, 1, Integer::sum);
    sentences.add(promise + ": " + sentence);
  }

  /** Counts a correct but notable event. */
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

  /** Returns one line for each counted kind of event. */
  List<String> notes() {
    return tallies.entrySet().stream()
        .map(tally -> tally.getKey() + ": " + tally.getValue())
        .toList();
  }
}
