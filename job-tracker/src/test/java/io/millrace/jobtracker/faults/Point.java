package io.millrace.jobtracker.faults;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where a fault can happen.
 *
 * @param label what is written, or what is replied to
 * @param occurrence how many of this label there have been in the run, this one included
 * @param firsts what this is the first of in the run: its label, and its label with what else tells
 *     commits of one label apart
 */
record Point(String label, int occurrence, Set<String> firsts) {

  private static final String DETAIL = ": ";

  /** Whether this is something of which there may be several of one label. */
  static boolean isDetail(String what) {
    return what.contains(DETAIL);
  }

  static Point following(List<Point> points, String label) {
    return following(points, label, Set.of());
  }

  /**
   * @param details what tells this one from others of its label
   */
  static Point following(List<Point> points, String label, Set<String> details) {
    List<Point> before = points.stream().filter(point -> point.label().equals(label)).toList();
    Set<String> firsts = new TreeSet<>(Set.of(label));
    details.forEach(detail -> firsts.add(label + DETAIL + detail));
    before.forEach(point -> firsts.removeAll(point.firsts()));
    return new Point(label, before.size() + 1, firsts);
  }

  boolean isFirstOf(String what) {
    return firsts.contains(what);
  }
}
