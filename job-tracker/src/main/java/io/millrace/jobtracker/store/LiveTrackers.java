package io.millrace.jobtracker.store;

import io.millrace.jobtracker.store.TrackerStore.Tracker;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The trackers of this store that are ready to serve. Thread-safe. */
@FunctionalInterface
public interface LiveTrackers {

  /** Returns the trackers that are ready and whose lease has not expired, in order of number. */
  List<Tracker> at(long now);

  /** Returns the same trackers by their numbers. */
  default Map<Integer, Tracker> byNumber(long now) {
    return at(now).stream().collect(Collectors.toMap(Tracker::number, Function.identity()));
  }
}
