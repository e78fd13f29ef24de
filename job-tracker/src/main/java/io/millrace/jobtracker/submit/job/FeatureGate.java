package io.millrace.jobtracker.submit.job;

import io.millrace.api.Job;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.store.LiveTrackers;
import io.millrace.jobtracker.store.TrackerStore;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets a job be stored only if every tracker knows what the job uses. An older tracker would claim
 * its triggers or record their ends without what came with the feature.
 *
 * <p>The trackers that hold a lease are read, then the required level is raised, then they are read
 * again. A starting tracker does it the other way round: it leases its number, then reads the
 * required level. So one of the two sees the other, whichever was first.
 *
 * <p>A level that was admitted once needs no further look: no tracker below it starts any more.
 * Jobs that use nothing new therefore cost no statement. Thread-safe.
 */
public final class FeatureGate {
  private final TrackerStore trackers;
  private final LiveTrackers holders;
  private final Clock clock;
  private final Function<Job, FeatureLevel> neededBy;

  /** The highest level that was admitted here. */
  private volatile FeatureLevel admitted = FeatureLevel.NONE;

  /**
   * Makes a gate that has admitted nothing yet.
   *
   * @param holders the trackers that hold a lease, those that are starting too
   * @param neededBy the level that a job needs
   */
  public FeatureGate(
      TrackerStore trackers,
      LiveTrackers holders,
      Clock clock,
      Function<Job, FeatureLevel> neededBy) {
    this.trackers = trackers;
    this.holders = holders;
    this.clock = clock;
    this.neededBy = neededBy;
  }

  /** The level that a job needs. */
  FeatureLevel neededBy(Job job) {
    return neededBy.apply(job);
  }

  /**
   * Returns those of the jobs that may not be stored, and why. Not to be called in a transaction:
   * what it reads must be what others have committed by then.
   */
  public IdentityHashMap<PendingSubmit, String> refusals(List<PendingSubmit> jobs) {
    IdentityHashMap<PendingSubmit, String> refusals = new IdentityHashMap<>();
    Map<FeatureLevel, String> reasons = new HashMap<>();
    for (PendingSubmit job : jobs) {
      FeatureLevel needed = job.spec().neededLevel();
      String before = reasons.get(needed);
      String reason = before == null ? refusal(needed) : before;
      if (reason != null) {
        reasons.put(needed, reason);
        refusals.put(job, reason);
      }
    }
    return refusals;
  }

  /** As {@link #refusals}, for one job that needs this level; null if it may be stored. */
  public @Nullable String refusal(FeatureLevel needed) {
    Tracker tracker = admitted.covers(needed) ? null : admit(needed);
    return tracker == null ? null : describe(needed, tracker);
  }

  /** Returns a tracker that is below the level; null if there is none, and then none starts. */
  private @Nullable Tracker admit(FeatureLevel needed) {
    Tracker behind = behind(needed);
    if (behind != null) {
      return behind;
    }
    trackers.require(needed);
    behind = behind(needed);
    if (behind == null) {
      admitted = needed;
    }
    return behind;
  }

  private @Nullable Tracker behind(FeatureLevel needed) {
    return holders.at(clock.millis()).stream()
        .filter(tracker -> tracker.featureLevel() < needed.number())
        .findFirst()
        .orElse(null);
  }

  private static String describe(FeatureLevel needed, Tracker tracker) {
    String where =
        tracker.address().equals(TrackerStore.STARTING)
            ? "which is starting"
            : "at " + tracker.address();
    return "it needs trackers of feature level "
        + needed
        + ", and tracker "
        + tracker.number()
        + " ("
        + tracker.trackerId()
        + "), "
        + where
        + ", has level "
        + tracker.featureLevel()
        + ": upgrade or stop that tracker, then try again";
  }
}
