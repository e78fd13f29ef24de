package io.millrace.torture.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.torture.nemesis.Fault.Kind;
import io.millrace.torture.nemesis.Victim.Part;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultPlanTest {
  private static final Duration LENGTH = Duration.ofSeconds(120);
  private static final int SEEDS = 200;
  private static final FaultPlan.Shape SHAPE = new FaultPlan.Shape(all(), seconds(3), seconds(4));

  private static final FaultPlan.Shape CLUSTER_SHAPE =
      new FaultPlan.Shape(withThreeDatabases(), seconds(3), seconds(4));

  private static Map<Part, Integer> withThreeDatabases() {
    Map<Part, Integer> parts = all();
    parts.put(Part.DATABASE, 3);
    parts.put(Part.DATABASE_LINK, 6);
    return parts;
  }

  private static Duration seconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }

  private static Map<Part, Integer> all() {
    Map<Part, Integer> parts = new EnumMap<>(Part.class);
    parts.put(Part.TRACKER, 2);
    parts.put(Part.WORKER, 3);
    parts.put(Part.CLIENT, 2);
    parts.put(Part.DATABASE, 1);
    parts.put(Part.DATABASE_LINK, 2);
    parts.put(Part.TRACKER_LINK, 2);
    return parts;
  }

  @Test
  void equalSeedsGiveEqualPlans() {
    assertThat(FaultPlan.of(7, LENGTH, SHAPE))
        .isEqualTo(FaultPlan.of(7, LENGTH, SHAPE))
        .isNotEqualTo(FaultPlan.of(8, LENGTH, SHAPE));
  }

  @Test
  void everythingIsHealedByTheEnd() {
    for (int seed = 0; seed < SEEDS; seed++) {
      assertThat(FaultPlan.of(seed, LENGTH, SHAPE))
          .isNotEmpty()
          .allSatisfy(fault -> assertThat(fault.healedAt()).isLessThanOrEqualTo(LENGTH));
    }
  }

  @Test
  void atMostTwoOverlapAndNeverOnOneVictim() {
    for (int seed = 0; seed < SEEDS; seed++) {
      List<PlannedFault> plan = FaultPlan.of(seed, LENGTH, SHAPE);
      for (PlannedFault fault : plan) {
        List<PlannedFault> underWay =
            plan.stream()
                .filter(other -> other.at().compareTo(fault.at()) <= 0)
                .filter(other -> other.healedAt().compareTo(fault.at()) > 0)
                .toList();
        assertThat(underWay).hasSizeLessThanOrEqualTo(2);
        assertThat(underWay).extracting(PlannedFault::victim).doesNotHaveDuplicates();
      }
    }
  }

  @Test
  void twoMinutesMeetEveryPart() {
    for (int seed = 0; seed < SEEDS; seed++) {
      Set<Part> met = new HashSet<>();
      FaultPlan.of(seed, LENGTH, SHAPE).forEach(fault -> met.add(fault.victim().part()));
      assertThat(met).as("seed %d", seed).isEqualTo(all().keySet());
    }
  }

  @Test
  void whatIsNotThereIsNotHurt() {
    FaultPlan.Shape embedded =
        new FaultPlan.Shape(Map.of(Part.TRACKER, 1, Part.WORKER, 1), seconds(3), seconds(4));

    assertThat(FaultPlan.of(1, LENGTH, embedded))
        .extracting(PlannedFault::victim)
        .containsOnly(new Victim(Part.TRACKER, 1), new Victim(Part.WORKER, 1));
  }

  @Test
  void eachPartIsStoppedAsOftenAsItIsKilled() {
    for (int seed = 0; seed < SEEDS; seed++) {
      List<PlannedFault> plan = FaultPlan.of(seed, LENGTH, CLUSTER_SHAPE);
      for (Part part : List.of(Part.TRACKER, Part.WORKER, Part.CLIENT, Part.DATABASE)) {
        assertThat(count(plan, part, Kind.KILL) - count(plan, part, Kind.RESTART))
            .as("%s, seed %d", part, seed)
            .isBetween(-1L, 1L);
      }
    }
  }

  private static long count(List<PlannedFault> plan, Part part, Kind kind) {
    return plan.stream().filter(f -> f.victim().part() == part && f.kind() == kind).count();
  }

  @Test
  void tenMinutesMeetEveryKindAndEveryVictim() {
    for (int seed = 0; seed < SEEDS; seed++) {
      List<PlannedFault> plan = FaultPlan.of(seed, Duration.ofSeconds(600), CLUSTER_SHAPE);
      assertThat(plan)
          .as("seed %d", seed)
          .extracting(PlannedFault::kind)
          .hasSameElementsAs(EnumSet.complementOf(EnumSet.of(Kind.STALL)));
      assertThat(plan)
          .as("seed %d", seed)
          .extracting(PlannedFault::victim)
          .contains(
              new Victim(Part.DATABASE, 1),
              new Victim(Part.DATABASE, 2),
              new Victim(Part.DATABASE, 3));
    }
  }

  @Test
  void aClusterKeepsItsMajority() {
    for (int seed = 0; seed < SEEDS; seed++) {
      List<PlannedFault> ofDatabase =
          FaultPlan.of(seed, LENGTH, CLUSTER_SHAPE).stream()
              .filter(fault -> fault.victim().part() == Part.DATABASE)
              .toList();
      for (int i = 1; i < ofDatabase.size(); i++) {
        assertThat(ofDatabase.get(i).at())
            .as("seed %d", seed)
            .isGreaterThan(ofDatabase.get(i - 1).healedAt());
      }
    }
  }

  @Test
  void aDatabaseDiesWhileATrackerStarts() {
    for (int seed = 0; seed < SEEDS; seed++) {
      List<PlannedFault> plan = FaultPlan.of(seed, Duration.ofSeconds(600), SHAPE);
      assertThat(plan)
          .as("seed %d", seed)
          .anyMatch(
              fault ->
                  fault.victim().part() == Part.DATABASE
                      && plan.stream().anyMatch(before -> startsJustBefore(before, fault)));
    }
  }

  private static boolean startsJustBefore(PlannedFault tracker, PlannedFault database) {
    Duration since = database.at().minus(tracker.healedAt());
    return tracker.victim().part() == Part.TRACKER
        && Set.of(Kind.KILL, Kind.RESTART).contains(tracker.kind())
        && !since.isNegative()
        && since.compareTo(seconds(3)) < 0;
  }

  @Test
  void aStartThatIsCutShortLastsUntilItsSecondStart() {
    PlannedFault fault =
        new PlannedFault(
            Kind.START_CUT_SHORT,
            new Victim(Part.TRACKER, 1),
            seconds(10),
            Duration.ofMillis(400),
            false,
            0.5);

    assertThat(fault.ofStart()).isBetween(Duration.ofMillis(50), seconds(3));
    assertThat(fault.healedAt()).isEqualTo(Duration.ofMillis(10_400).plus(fault.ofStart()));
  }

  @Test
  void stopsAreCutShortAtAnyMomentAndLateMoreOften() {
    List<Double> moments =
        IntStream.range(0, SEEDS)
            .boxed()
            .flatMap(seed -> FaultPlan.of(seed, LENGTH, SHAPE).stream())
            .filter(fault -> fault.kind() == Kind.STOP_CUT_SHORT)
            .map(PlannedFault::moment)
            .toList();

    assertThat(moments)
        .allSatisfy(moment -> assertThat(moment).isBetween(0.0, 1.0))
        .anyMatch(moment -> moment < 0.2);
    assertThat(moments.stream().filter(moment -> moment > 0.5))
        .hasSizeGreaterThan(moments.size() * 6 / 10);
  }
}
