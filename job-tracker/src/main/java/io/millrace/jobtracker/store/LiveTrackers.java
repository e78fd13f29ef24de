package io.millrace.jobtracker.store;

import io.millrace.jobtracker.store.TrackerStore.Tracker;
import java.util.List;

/** The trackers of this store that are ready to serve. Thread-safe. */
@FunctionalInterface
public interface LiveTrackers {

  /** Returns the trackers that are ready and whose lease has not expired, in order of number. */
  List<Tracker> at(long now);
}
