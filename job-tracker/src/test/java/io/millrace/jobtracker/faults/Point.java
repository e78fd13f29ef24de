package io.millrace.jobtracker.faults;

import java.util.List;

/**
 * Where a fault can happen.
 *
 * @param label what is written, or what is replied to
 * @param occurrence how many of this label there have been in the run, this one included
 */
record Point(String label, int occurrence) {

  static Point following(List<Point> points, String label) {
    long before = points.stream().filter(point -> point.label().equals(label)).count();
    return new Point(label, (int) before + 1);
  }

  boolean isFirst() {
    return occurrence == 1;
  }
}
