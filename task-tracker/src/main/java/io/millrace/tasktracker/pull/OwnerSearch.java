package io.millrace.tasktracker.pull;

import io.millrace.common.time.Timer;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows trackers that name another as the owner of the node group: the first time at once, then
 * with a delay, so that two trackers that name each other do not make the worker spin.
 *
 * <p>Confined to the loop.
 */
final class OwnerSearch {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerSearch.class);

  private final TrackerPulls tracker;
  private final Executor loop;
  private final Timer timer;
  private final Duration delay;
  private boolean searching;
  private int connection;

  OwnerSearch(TrackerPulls tracker, Executor loop, Timer timer, Duration delay) {
    this.tracker = tracker;
    this.loop = loop;
    this.timer = timer;
    this.delay = delay;
  }

  void connected() {
    connection++;
  }

  /** The tracker serves the group. */
  void found() {
    searching = false;
  }

  /** The tracker does not serve the group. */
  void notOwner(@Nullable String address) {
    if (address == null) {
      return;
    }
    if (searching) {
      int asked = connection;
      timer.schedule(delay, loop, () -> preferIfStill(asked, address));
      return;
    }
    searching = true;
    LOG.info("pull: the tracker names {} as the owner of the node group", address);
    tracker.prefer(address);
  }

  private void preferIfStill(int asked, String address) {
    if (searching && asked == connection) {
      tracker.prefer(address);
    }
  }
}
