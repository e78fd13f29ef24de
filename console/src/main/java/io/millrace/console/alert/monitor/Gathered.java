package io.millrace.console.alert.monitor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What happened since the previous message; its size is bounded by the number of examples. Not
 * thread-safe.
 */
final class Gathered {
  private final int mostExamples;
  private final List<AlertExample> examples = new ArrayList<>(0);
  private long first = Spans.NEVER;
  private long last = Spans.NEVER;
  private long count;
  private long spells;
  private long worst;

  Gathered(int mostExamples) {
    this.mostExamples = mostExamples;
  }

  void happened(long at, long times, long lateBy, Supplier<AlertExample> example) {
    note(at, at);
    count += times;
    worst = Math.max(worst, lateBy);
    if (examples.size() < mostExamples) {
      examples.add(example.get());
    }
  }

  /** Records a condition that held for a while and is not reported on its own. */
  void stood(long from, long until) {
    note(from, until);
    spells++;
  }

  private void note(long from, long until) {
    first = first == Spans.NEVER ? from : Math.min(first, from);
    last = Math.max(last, until);
  }

  boolean isEmpty() {
    return first == Spans.NEVER;
  }

  long first() {
    return first;
  }

  long last() {
    return last;
  }

  long count() {
    return count;
  }

  long spells() {
    return spells;
  }

  long worst() {
    return worst;
  }

  List<AlertExample> examples() {
    return List.copyOf(examples);
  }
}
