package io.millrace.tasktracker.internal.pull;

import io.millrace.internal.time.TimedExecutor;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Searches the owner of the node group: moves to the tracker that another tracker names as the
 * owner. The first move is made at once. Later moves have a delay, so that the worker does not spin
 * when two trackers name each other, or when the owner cannot be reached. If a tracker repeatedly
 * names no owner, its view may be outdated, and the worker moves to another tracker.
 *
 * <p>Confined to the loop.
 */
final class OwnerSearch {
  /** The pause before a tracker that does not serve the group is asked again. */
  static final Duration ASK_AGAIN = Duration.ofMillis(200);

  /** The time between two moves of one search. */
  static final Duration MOVE_AGAIN = Duration.ofMillis(500);

  /**
   * The number of successive answers without an owner, about one second of them, after which
   * another tracker is asked.
   */
  private static final int ANSWERS_WITHOUT_OWNER = 5;

  private static final Logger LOG = LoggerFactory.getLogger(OwnerSearch.class);

  private final TrackerPulls tracker;
  private final TimedExecutor loop;
  private boolean searching;
  private boolean moveWaits;
  private int connection;
  private int withoutOwner;

  OwnerSearch(TrackerPulls tracker, TimedExecutor loop) {
    this.tracker = tracker;
    this.loop = loop;
  }

  void connected() {
    connection++;
    withoutOwner = 0;
  }

  /** Ends the search, because the tracker serves the group. */
  void found() {
    searching = false;
    withoutOwner = 0;
  }

  /**
   * Continues the search, because the tracker does not serve the group. The address is that of the
   * owner, or null.
   */
  void notOwner(@Nullable String address) {
    if (address == null) {
      noOwnerNamed();
      return;
    }
    withoutOwner = 0;
    if (!searching) {
      searching = true;
      LOG.info("pull: the tracker reports {} as the owner of the node group", address);
      tracker.prefer(address);
    } else if (!moveWaits) {
      moveWaits = true;
      int asked = connection;
      loop.schedule(MOVE_AGAIN, () -> preferIfStill(asked, address));
    }
  }

  private void preferIfStill(int asked, String address) {
    moveWaits = false;
    if (searching && asked == connection) {
      tracker.prefer(address);
    }
  }

  private void noOwnerNamed() {
    withoutOwner++;
    if (withoutOwner >= ANSWERS_WITHOUT_OWNER) {
      withoutOwner = 0;
      tracker.preferAnother();
    }
  }
}
