package io.millrace.jobtracker.store.jdbc.sql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/**
 * Cuts values into lists for {@code IN (…)}: sorted, so that statements lock in one order; without
 * duplicates; each padded to a power of two by repeating its last value, so that statements have
 * few sizes and are prepared once.
 */
public final class InLists {
  /**
   * The maximum of values in a list: from 1,000 values on, MariaDB first builds a table and joins
   * with it.
   */
  public static final int MAX_VALUES = 512;

  private InLists() {}

  public static <T extends Comparable<T>> List<List<T>> of(Collection<T> values) {
    return cut(new ArrayList<>(new TreeSet<>(values)));
  }

  /** Only cuts and pads: for distinct values whose order does not matter for locks. */
  public static <T> List<List<T>> cut(List<T> values) {
    List<List<T>> lists = new ArrayList<>();
    for (int from = 0; from < values.size(); from += MAX_VALUES) {
      lists.add(padded(values.subList(from, Math.min(values.size(), from + MAX_VALUES))));
    }
    return lists;
  }

  private static <T> List<T> padded(List<T> values) {
    int size = values.size();
    int next = Integer.highestOneBit(size) == size ? size : Integer.highestOneBit(size) << 1;
    List<T> padded = new ArrayList<>(values);
    padded.addAll(Collections.nCopies(next - size, values.get(size - 1)));
    return padded;
  }
}
