package io.millrace.tasktracker.pull;

import io.millrace.common.time.Timer;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows trackers that name another as the owner of the node group: the first time at once, then
 * with a delay, so that two trackers that name each other, or an owner that cannot be reached, do
 * not make the worker spin. A tracker that goes on naming nobody may know no better, and is left.
 *
 * <p>Confined to the loop.
 */
final class OwnerSearch {
  /** When a tracker that does not serve the group is asked again. */
  static final Duration ASK_AGAIN = Duration.ofMillis(200);

  /** Time between two moves of one search. */
  static final Duration MOVE_AGAIN = Duration.ofMillis(500);

  /** Answers in a row that name nobody, about a second of them, until another tracker is asked. */
  private static final int ANSWERS_WITHOUT_OWNER = 5;

  private static final Logger LOG = LoggerFactory.getLogger(OwnerSearch.class);

  private final TrackerPulls tracker;
  private final Executor loop;
  private final Timer timer;
  private boolean searching;
  private boolean moveWaits;
  private int connection;
  private int withoutOwner;

  OwnerSearch(TrackerPulls tracker, Executor loop, Timer timer) {
    this.tracker = tracker;
    this.loop = loop;
    this.timer = timer;
  }

  void connected() {
    connection++;
    withoutOwner = 0;
  }

  /** The tracker serves the group. */
  void found() {
    searching = false;
    withoutOwner = 0;
  }

  /** The tracker does not serve the group. */
  void notOwner(@Nullable String address) {
    if (address == null) {
      nobodyNamed();
      return;
    }
    withoutOwner = 0;
    if (!searching) {
      searching = true;
      LOG.info("pull: the tracker names {} as the owner of the node group", address);
      tracker.prefer(address);
    } else if (!moveWaits) {
      moveWaits = true;
      int asked = connection;
      timer.schedule(MOVE_AGAIN, loop, () -> preferIfStill(asked, address));
    }
  }

  private void preferIfStill(int asked, String address) {
    moveWaits = false;
    if (searching && asked == connection) {
      tracker.prefer(address);
    }
  }

  private void nobodyNamed() {
    withoutOwner++;
    if (withoutOwner >= ANSWERS_WITHOUT_OWNER) {
      withoutOwner = 0;
      tracker.preferAnother();
    }
  }
}
