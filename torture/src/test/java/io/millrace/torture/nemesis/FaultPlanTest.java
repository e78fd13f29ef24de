package io.millrace.torture.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.torture.nemesis.Victim.Part;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FaultPlanTest {
  private static final Duration LENGTH = Duration.ofSeconds(120);
  private static final int SEEDS = 200;
  private static final FaultPlan.Shape SHAPE = new FaultPlan.Shape(all(), seconds(3), seconds(4));

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
      assertThat(met).as("seed %d", seed).containsExactlyInAnyOrder(Part.values());
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
}
