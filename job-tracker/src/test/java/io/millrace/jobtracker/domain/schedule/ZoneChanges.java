package io.millrace.jobtracker.domain.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Every change of the clock from 2000 to 2040, in every zone there is. */
final class ZoneChanges {
  static final Instant BEGIN = Instant.parse("2000-01-01T00:00:00Z");
  static final Instant END = Instant.parse("2041-01-01T00:00:00Z");

  /** A change of a zone's clock, and the zone. */
  record Change(ZoneId zone, ZoneOffsetTransition transition) {

    Instant at() {
      return transition.getInstant();
    }

    @Override
    public String toString() {
      return zone + " " + transition;
    }
  }

  private ZoneChanges() {}

  /** One zone for each set of rules: what has the same rules gives the same answers. */
  static List<ZoneId> zones() {
    Set<ZoneRules> seen = new HashSet<>();
    return new TreeSet<>(ZoneId.getAvailableZoneIds())
        .stream().map(ZoneId::of).filter(zone -> seen.add(zone.getRules())).toList();
  }

  static List<Change> all() {
    return between(BEGIN, END);
  }

  /** Of every zone. */
  static List<Change> between(Instant begin, Instant end) {
    List<Change> changes = new ArrayList<>();
    zones().forEach(zone -> changes.addAll(of(zone, begin, end)));
    return changes;
  }

  static List<Change> of(ZoneId zone, Instant begin, Instant end) {
    List<Change> changes = new ArrayList<>();
    ZoneOffsetTransition next = zone.getRules().nextTransition(begin);
    while (next != null && next.getInstant().isBefore(end)) {
      changes.add(new Change(zone, next));
      next = zone.getRules().nextTransition(next.getInstant());
    }
    return changes;
  }
}
