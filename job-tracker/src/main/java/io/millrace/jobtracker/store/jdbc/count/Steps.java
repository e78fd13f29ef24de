package io.millrace.jobtracker.store.jdbc.count;

import io.millrace.jobtracker.store.ListCounts.Bound;
import io.millrace.jobtracker.store.ListCounts.Count;

/** Counts rows in the order of a key, some at a time. */
final class Steps {
  private Steps() {}

  /**
   * The result of one step.
   *
   * @param examined how many rows were examined; fewer than were asked for if there are no more
   * @param found those of them that match
   * @param last the place of the last of them; without meaning if there are no more
   */
  record Step<P>(int examined, int found, P last) {}

  /** Reads the rows behind a place. */
  interface Reader<P> {
    Step<P> read(P behind, int most);
  }

  /**
   * Counts the rows behind a place as far as the bound allows, and then looks whether there is one
   * more.
   *
   * @param start the place before all rows
   */
  static <P> Count count(P start, Bound bound, Reader<P> reader) {
    Count counted = new Count(0, 0, false);
    P place = start;
    while (true) {
      int left = bound.rows() - counted.examined();
      int most = Math.max(1, Math.min(left, bound.step()));
      Step<P> step = reader.read(place, most);
      if (left == 0) {
        return new Count(counted.found(), counted.examined(), step.examined() > 0);
      }
      counted = counted.plus(new Count(step.found(), step.examined(), false));
      if (step.examined() < most) {
        return counted;
      }
      if (!bound.goesOn().getAsBoolean()) {
        return new Count(counted.found(), counted.examined(), true);
      }
      place = step.last();
    }
  }
}
