package io.millrace.jobtracker.domain.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.balance.GroupBalance.Placement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GroupBalanceTest {

  @Test
  void trackerAloneGetsEverything() {
    assertThat(GroupBalance.plan(List.of(7), placements(null, 7, 3)))
        .containsOnly(Map.entry("g0", 7), Map.entry("g1", 7), Map.entry("g2", 7));
  }

  @Test
  void nobodyAliveGetsNothing() {
    assertThat(GroupBalance.plan(List.of(), placements(1, null))).isEmpty();
  }

  @Test
  void newGroupsAreDealtOutInTurn() {
    assertThat(GroupBalance.plan(List.of(1, 2), placements(null, null, null, null)).values())
        .containsExactly(1, 2, 1, 2);
  }

  @Test
  void trackerThatJoinsGetsItsShareAndNoMore() {
    assertThat(GroupBalance.plan(List.of(1, 2), placements(1, 1, 1, 1, 1)).values())
        .containsExactly(1, 1, 1, 2, 2);
  }

  @Test
  void whoServesOneMoreThanTheOthersKeepsIt() {
    assertThat(GroupBalance.plan(List.of(1, 2, 3), placements(3, 1, 3, 2)).values())
        .containsExactly(3, 1, 3, 2);
  }

  /** Every distribution of up to six groups over up to four trackers, of which some are dead. */
  @Test
  void smallCasesAreEvenWithAsFewMovesAsCanBe() {
    for (int live = 1; live <= 4; live++) {
      List<Integer> trackers = IntStream.rangeClosed(1, live).boxed().toList();
      for (int groups = 0; groups <= 6; groups++) {
        for (int code = 0; code < Math.pow(live + 1, groups); code++) {
          List<Placement> before = decode(code, groups, live);
          Map<String, Integer> plan = GroupBalance.plan(trackers, before);
          assertThat(plan).hasSize(groups);
          assertThat(spread(trackers, plan)).as("%s", before).isLessThanOrEqualTo(1);
          assertThat(moves(before, plan)).as("%s", before).isEqualTo(fewest(trackers, before));
        }
      }
    }
  }

  /** Digits of the code are owners; 0 is one that is not alive. */
  private static List<Placement> decode(int code, int groups, int live) {
    Integer[] owners = new Integer[groups];
    for (int i = 0, rest = code; i < groups; i++, rest /= live + 1) {
      owners[i] = rest % (live + 1);
    }
    return placements(owners);
  }

  /** Of all even plans, by trying each, the least that move a group away from a live tracker. */
  private static long fewest(List<Integer> trackers, List<Placement> before) {
    List<Integer> owners = before.stream().map(Placement::owner).toList();
    long fewest = Long.MAX_VALUE;
    for (int larger = 0; larger < 1 << trackers.size(); larger++) {
      if (Integer.bitCount(larger) == before.size() % trackers.size()) {
        long kept = 0;
        for (int i = 0; i < trackers.size(); i++) {
          int share = before.size() / trackers.size() + (larger >> i & 1);
          kept += Math.min(share, Collections.frequency(owners, trackers.get(i)));
        }
        long owned = owners.stream().filter(trackers::contains).count();
        fewest = Math.min(fewest, owned - kept);
      }
    }
    return fewest;
  }

  @Property(tries = 500)
  void orderOfTheArgumentsDoesNotMatter(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 8) int trackers,
      @ForAll @IntRange(max = 40) int groups) {
    Random random = new Random(seed);
    List<Integer> live = new ArrayList<>(IntStream.range(0, trackers).boxed().toList());
    List<Placement> before = new ArrayList<>();
    for (int i = 0; i < groups; i++) {
      before.add(new Placement("g" + i, random.nextInt(trackers + 2) - 1));
    }
    Map<String, Integer> plan = GroupBalance.plan(live, before);

    Collections.shuffle(live, random);
    Collections.shuffle(before, random);

    assertThat(GroupBalance.plan(live, before)).isEqualTo(plan);
  }

  /**
   * Trackers look in any order and carry out any part of what they then see, while others come and
   * go. Once they stay, they become even, and from then on nothing moves.
   */
  @Property(tries = 300)
  void trackersBecomeEvenWhateverTheOrderOfTheirLooksAndNothingMovesThen(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 6) int trackers,
      @ForAll @IntRange(max = 25) int groups) {
    World world = new World(new Random(seed), trackers, groups);
    for (int step = 0; step < 30; step++) {
      world.someoneLooksAndDoesAPart();
    }
    for (int round = 0; round < 2; round++) {
      world.live.forEach(world::looksAndDoesAll);
    }

    Map<String, Integer> settled = new TreeMap<>(world.owners);
    assertThat(spread(world.live, settled)).isLessThanOrEqualTo(1);
    world.live.forEach(world::looksAndDoesAll);
    assertThat(world.owners).isEqualTo(settled);
  }

  /** While nobody comes or goes, no group comes back to where it was. */
  @Property(tries = 300)
  void noGroupComesBackToATrackerThatGaveItAway(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 6) int trackers,
      @ForAll @IntRange(max = 25) int groups) {
    World world = new World(new Random(seed), trackers, groups);
    world.settlesOnly = true;
    for (int step = 0; step < 60; step++) {
      world.someoneLooksAndDoesAPart();
    }
    assertThat(world.returned).isEmpty();
  }

  private static final class World {
    final Random random;
    final List<Integer> live = new ArrayList<>();
    final Map<String, Integer> owners = new TreeMap<>();
    final Map<String, List<Integer>> former = new TreeMap<>();
    final List<String> returned = new ArrayList<>();
    boolean settlesOnly;
    int next;

    World(Random random, int trackers, int groups) {
      this.random = random;
      for (next = 1; next <= trackers; next++) {
        live.add(next);
      }
      for (int i = 0; i < groups; i++) {
        owners.put("g" + i, random.nextInt(trackers + 1));
      }
    }

    void someoneLooksAndDoesAPart() {
      if (!settlesOnly && random.nextInt(6) == 0) {
        comeOrGo();
      }
      int tracker = live.get(random.nextInt(live.size()));
      Map<String, Integer> mine = plan();
      mine.keySet().removeIf(group -> random.nextBoolean());
      carryOut(tracker, mine);
    }

    void looksAndDoesAll(int tracker) {
      carryOut(tracker, plan());
    }

    private void comeOrGo() {
      if (live.size() > 1 && random.nextBoolean()) {
        live.remove(random.nextInt(live.size()));
      } else {
        live.add(next++);
      }
    }

    private Map<String, Integer> plan() {
      List<Placement> placements = new ArrayList<>();
      owners.forEach((group, owner) -> placements.add(new Placement(group, owner)));
      return GroupBalance.plan(live, placements);
    }

    /** A tracker gives away what is its own, and takes what nobody has. */
    private void carryOut(int tracker, Map<String, Integer> plan) {
      plan.forEach(
          (group, target) -> {
            int owner = owners.get(group);
            boolean takes = !live.contains(owner) && target == tracker;
            boolean gives = owner == tracker && target != tracker;
            if (takes || gives) {
              List<Integer> before = former.computeIfAbsent(group, g -> new ArrayList<>());
              before.add(owner);
              owners.put(group, target);
              if (before.contains(target)) {
                returned.add(group);
              }
            }
          });
    }
  }

  private static List<Placement> placements(@Nullable Integer... owners) {
    List<Placement> placements = new ArrayList<>();
    for (int i = 0; i < owners.length; i++) {
      placements.add(new Placement("g" + i, owners[i]));
    }
    return placements;
  }

  private static int spread(Collection<Integer> trackers, Map<String, Integer> plan) {
    List<Integer> counts =
        trackers.stream().map(t -> Collections.frequency(plan.values(), t)).toList();
    return plan.isEmpty() ? 0 : Collections.max(counts) - Collections.min(counts);
  }

  private static long moves(List<Placement> before, Map<String, Integer> plan) {
    return before.stream()
        .filter(p -> !Objects.equals(p.owner(), plan.get(p.group())))
        .filter(p -> p.owner() != null && p.owner() > 0)
        .count();
  }
}
