package io.millrace.jobtracker.cluster;

import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.time.RepeatedTimer;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.store.LiveTrackers;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows the live trackers, keeps a connection to each, and sends them hints about rows that this
 * tracker stored and they serve. Thread-safe; one timer drives the duty and never overlaps its own
 * runs.
 */
public final class PeerTrackers implements Signals, Peers {

  /** How long a connected peer may take to answer a hand-over. */
  private static final Duration HAND_OVER_TIMEOUT = Duration.ofSeconds(2);

  /** After a database failure that affects all trackers, they are back within this time. */
  private static final Duration RETURN = RepeatedTimer.LONGEST_BACKOFF;

  /** A tracker whose lease was found to have run out. */
  private record Lapsed(Tracker tracker, long seenAt) {}

  /**
   * The identity of this tracker.
   *
   * @param number its number
   * @param address where nodes reach it
   */
  public record Self(int number, String address) {}

  private final LiveTrackers trackers;
  private final Self self;
  private final @Nullable RpcConnector connector;
  private final Function<String, @Nullable String> owners;
  private final Supplier<Set<String>> clientGroups;
  private final Map<Integer, PeerLink> links = new ConcurrentHashMap<>();
  private final Consumer<Tracker> onLapsed;
  private final Map<String, Lapsed> lapsed = new HashMap<>();
  private List<Tracker> alive = List.of();
  private volatile List<String> addresses;
  private volatile boolean closed;

  /**
   * @param connector opens connections as a tracker; the caller closes it. Null for a tracker that
   *     knows its peers and sends them nothing
   * @param owners the address of the tracker that serves a node group; null if it is unknown or
   *     this tracker
   * @param clientGroups the client groups with a client connected to this tracker
   * @param onLapsed receives each tracker that is gone without having announced it; only the live
   *     tracker with the lowest number calls it
   */
  public PeerTrackers(
      LiveTrackers trackers,
      Self self,
      @Nullable RpcConnector connector,
      Function<String, @Nullable String> owners,
      Supplier<Set<String>> clientGroups,
      Consumer<Tracker> onLapsed) {
    this.onLapsed = onLapsed;
    this.trackers = trackers;
    this.self = self;
    this.connector = connector;
    this.owners = owners;
    this.clientGroups = clientGroups;
    this.addresses = List.of(self.address());
  }

  /**
   * Reads the live trackers, connects to new peers and to peers whose connection was lost, and
   * closes the connections to peers that are gone. Returns how many peers came or went; without a
   * connector, 0.
   */
  public int runOnce(long now) {
    if (closed) {
      return 0;
    }
    List<Tracker> live = trackers.at(now);
    notifyLapsed(live, now);
    List<String> known = new ArrayList<>(live.stream().map(Tracker::address).toList());
    if (!known.contains(self.address())) {
      known.add(0, self.address());
    }
    addresses = List.copyOf(known);
    List<Tracker> peers = live.stream().filter(peer -> peer.number() != self.number()).toList();
    int changes = closeOtherLinks(peers);
    for (Tracker peer : peers) {
      if (!links.containsKey(peer.number())) {
        changes++;
      }
      PeerLink link = linkTo(peer);
      if (link != null) {
        CompletableFuture<?> unused = link.connect();
      }
    }
    return connector == null ? 0 : changes;
  }

  /**
   * A tracker that stops ends its lease, so it is gone before the lease last seen for it runs out.
   * Of the live trackers, the one with the lowest number reports a lapsed tracker.
   */
  private void notifyLapsed(List<Tracker> live, long now) {
    for (Tracker tracker : alive) {
      if (tracker.leaseUntil() <= now && tracker.number() != self.number()) {
        lapsed.putIfAbsent(tracker.trackerId(), new Lapsed(tracker, now));
      }
    }
    alive = live;
    live.forEach(tracker -> lapsed.remove(tracker.trackerId()));
    int first = live.stream().mapToInt(Tracker::number).min().orElse(self.number());
    for (Lapsed gone : List.copyOf(lapsed.values())) {
      if (now - gone.seenAt() >= RETURN.toMillis()) {
        lapsed.remove(gone.tracker().trackerId());
        if (first == self.number()) {
          onLapsed.accept(gone.tracker());
        }
      }
    }
  }

  private int closeOtherLinks(List<Tracker> peers) {
    int gone = 0;
    for (Map.Entry<Integer, PeerLink> entry : List.copyOf(links.entrySet())) {
      PeerLink link = entry.getValue();
      boolean stays =
          peers.stream().anyMatch(peer -> peer.number() == entry.getKey() && link.leadsTo(peer));
      if (!stays && links.remove(entry.getKey(), link)) {
        link.close();
        gone++;
      }
    }
    return gone;
  }

  private @Nullable PeerLink linkTo(Tracker peer) {
    RpcConnector opener = connector;
    if (opener == null || closed) {
      return null;
    }
    return links.compute(
        peer.number(),
        (number, link) -> {
          if (link != null && link.leadsTo(peer)) {
            return link;
          }
          if (link != null) {
            link.close();
          }
          return new PeerLink(peer, opener);
        });
  }

  /** The addresses of the trackers that were alive at the last run, including this one. */
  public List<String> addresses() {
    return addresses;
  }

  /**
   * Notifies a tracker that it owns a node group from now on, or that the group is free and planned
   * for that tracker.
   *
   * @return whether the target serves the group; false if it could not be asked. Never completes
   *     exceptionally. If the peer does not answer, completes only when the call is given up
   */
  @Override
  public CompletableFuture<Boolean> groupHandedOver(Tracker target, String nodeGroup) {
    PeerLink link = target.number() == self.number() ? null : linkTo(target);
    return link == null
        ? CompletableFuture.completedFuture(false)
        : link.handOver(nodeGroup, HAND_OVER_TIMEOUT);
  }

  @Override
  public void nodeGroupStored(String nodeGroup) {
    notifyPeers(hints -> hints.nodeGroupStored(nodeGroup));
  }

  @Override
  public void triggersStored(String nodeGroup, long earliestDueAt) {
    notifyOwner(nodeGroup, hints -> hints.triggersStored(nodeGroup, earliestDueAt));
  }

  @Override
  public void executionsEnded(String nodeGroup, Collection<Long> executionIds) {
    notifyOwner(nodeGroup, hints -> hints.executionsEnded(nodeGroup, executionIds));
  }

  @Override
  public void stopRequested(String nodeGroup, Collection<Long> executionIds) {
    notifyOwner(nodeGroup, hints -> hints.stopRequested(nodeGroup, executionIds));
  }

  @Override
  public void terminated(String nodeGroup, Collection<Long> executionIds) {
    notifyOwner(nodeGroup, hints -> hints.terminated(nodeGroup, executionIds));
  }

  @Override
  public void feedbackStored() {
    if (!links.isEmpty()) {
      Set<String> served = clientGroups.get();
      notifyPeers(hints -> hints.feedbackStored(served));
    }
  }

  /** While the owner of the group is unknown, every peer receives the hint. */
  private void notifyOwner(String nodeGroup, Consumer<PendingHints> hint) {
    if (links.isEmpty()) {
      return;
    }
    String owner = owners.apply(nodeGroup);
    for (PeerLink link : links.values()) {
      if (owner == null || link.address().equals(owner)) {
        link.send(hint);
      }
    }
  }

  private void notifyPeers(Consumer<PendingHints> hint) {
    links.values().forEach(link -> link.send(hint));
  }

  /** Closes every connection; no connection is opened afterwards. */
  public void close() {
    closed = true;
    links.values().forEach(PeerLink::close);
    links.clear();
  }
}
