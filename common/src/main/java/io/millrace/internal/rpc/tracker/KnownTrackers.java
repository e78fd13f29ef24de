package io.millrace.internal.rpc.tracker;

import io.millrace.internal.protocol.PingReply;
import io.millrace.internal.rpc.HostPort;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The addresses a node may connect to: the configured ones, and those reported by trackers. They
 * are tried in rounds, each address once, the configured ones first and each kind in random order,
 * so that nodes spread over the trackers. Not thread-safe.
 */
final class KnownTrackers {
  private final List<String> configured;
  private final Random random;
  private final Queue<String> round = new ArrayDeque<>();
  private List<String> discovered = List.of();

  KnownTrackers(List<String> configured, Random random) {
    this.configured = configured;
    this.random = random;
    // Neighbouring seeds have similar first numbers, and nodes would choose similarly.
    random.nextLong();
    random.nextLong();
    beginRound(null);
  }

  /**
   * Replaces the discovered addresses by those that a tracker reports. An empty report changes
   * nothing, because it comes from a tracker that reports none; invalid addresses are skipped.
   *
   * @return whether the discovered addresses changed
   */
  boolean learn(List<String> named) {
    if (named.isEmpty()) {
      return false;
    }
    Set<String> fresh = new LinkedHashSet<>();
    named.stream()
        .limit(PingReply.MAX_TRACKERS)
        .filter(KnownTrackers::isAddress)
        .filter(address -> !configured.contains(address))
        .forEach(fresh::add);
    boolean changed = !fresh.equals(new LinkedHashSet<>(discovered));
    discovered = List.copyOf(fresh);
    return changed;
  }

  /** Every address, the configured ones first. */
  List<String> all() {
    List<String> all = new ArrayList<>(configured);
    all.addAll(discovered);
    return all;
  }

  /** A random address other than this one; null if there is none. */
  @Nullable String otherThan(String address) {
    List<String> others = all();
    others.remove(address);
    return others.isEmpty() ? null : others.get(random.nextInt(others.size()));
  }

  /**
   * Begins a round.
   *
   * @param first the address to begin with; ignored if it is null or unknown
   */
  void beginRound(@Nullable String first) {
    round.clear();
    if (first != null && (configured.contains(first) || discovered.contains(first))) {
      round.add(first);
    }
    for (List<String> kind : List.of(configured, discovered)) {
      List<String> mixed = new ArrayList<>(kind);
      Collections.shuffle(mixed, random);
      mixed.remove(first);
      round.addAll(mixed);
    }
  }

  /** The next address of the round; null if all have been tried. */
  @Nullable String next() {
    return round.poll();
  }

  private static boolean isAddress(String text) {
    try {
      return HostPort.parse(text).port() > 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
