package io.millrace.jobtracker.store.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.StoreContract;
import io.millrace.jobtracker.store.console.GroupLoadStore.GroupLoad;
import io.millrace.jobtracker.store.console.GroupLoadStore.LoadedGroup;
import io.millrace.jobtracker.store.console.GroupLoadStore.Totals;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupLoadStoreContractTest extends StoreContract {
  private GroupLoadStore store;

  @BeforeEach
  void takeStore() {
    store = stores.console().fleet().groups();
    database.execute("DELETE FROM jt_group_load");
    database.execute("UPDATE jt_node_group SET owner = NULL");
  }

  private static GroupLoad load(String group, long backlog, @Nullable Long oldestDueAt) {
    return new GroupLoad(
        group, 2, 9_000, backlog, backlog >= 10_000, oldestDueAt, 12_000L, 3, 1, 24, 20, 4, 22);
  }

  @Test
  void aGroupIsShownWithWhatWasCountedLast() {
    assertThat(store.find(nodeGroup)).contains(new LoadedGroup(nodeGroup, null, 0, null));
    store.put(List.of(load(nodeGroup, 5, 8_000L)));
    GroupLoad last = load(nodeGroup, 10_000, null).observedAt(9_500);

    store.put(List.of(last));
    stores.nodeGroups().takeOwnership(nodeGroup, 2, 0);

    assertThat(store.find(nodeGroup)).contains(new LoadedGroup(nodeGroup, 2, 1, last));
    assertThat(store.find("never-seen")).isEmpty();
  }

  @Test
  void groupsAreListedPageByPageCountedOrNot() {
    String second = newNodeGroup();
    store.put(List.of(load(second, 1, 1L), load("gone", 1, 1L)));

    List<LoadedGroup> all = store.list("", 10_000);
    assertThat(all).extracting(LoadedGroup::name).isSorted().contains(nodeGroup, second);
    assertThat(all).extracting(LoadedGroup::name).as("none without a row").doesNotContain("gone");
    assertThat(store.list(all.get(0).name(), 1)).containsExactly(all.get(1));
    assertThat(all).filteredOn(group -> group.name().equals(second)).hasSize(1);
  }

  @Test
  void groupsAreFoundByAPartOfTheirName() {
    String part = nodeGroup.substring(1);

    assertThat(store.listLike(part.toUpperCase(Locale.ROOT), "", 10_000))
        .extracting(LoadedGroup::name)
        .contains(nodeGroup)
        .isSorted()
        .allMatch(name -> name.contains(part));
    assertThat(store.listLike(part, nodeGroup, 10_000))
        .extracting(LoadedGroup::name)
        .doesNotContain(nodeGroup);
    assertThat(store.listLike(part, "", 1)).hasSize(1);
    assertThat(store.listLike("_", "", 10)).as("no pattern").isEmpty();
  }

  @Test
  void theLongestOverdueComeFirst() {
    String later = newNodeGroup();
    String inTime = newNodeGroup();
    String idle = newNodeGroup();
    store.put(
        List.of(
            load(later, 1, 20L),
            load(nodeGroup, 1, 10L),
            load(inTime, 1, 30L),
            load(idle, 0, null)));

    assertThat(store.mostOverdue(30, 10))
        .extracting(LoadedGroup::name)
        .containsExactly(nodeGroup, later);
    assertThat(store.mostOverdue(30, 1)).extracting(LoadedGroup::name).containsExactly(nodeGroup);
  }

  @Test
  void theLargestBacklogsComeFirstAndWhatWasNotCountedLast() {
    String small = newNodeGroup();
    String empty = newNodeGroup();
    String large = newNodeGroup();
    store.put(List.of(load(small, 1, 1L), load(empty, 0, null), load(large, 9, 9L)));

    assertThat(store.largestBacklogs(2))
        .extracting(LoadedGroup::name)
        .containsExactly(large, small);
    assertThat(store.largestBacklogs(10_000))
        .extracting(LoadedGroup::name)
        .startsWith(large, small, empty)
        .contains(nodeGroup);
  }

  @Test
  void groupsWithoutWorkersAreNamedInOrder() {
    GroupLoad served = load("a", 1, 1L);
    store.put(List.of(served, deserted("d"), deserted("b"), deserted("c")));

    assertThat(store.withoutWorkers(10)).containsExactly("b", "c", "d");
    assertThat(store.withoutWorkers(2)).containsExactly("b", "c");
  }

  private static GroupLoad deserted(String group) {
    return new GroupLoad(group, 2, 9_000, 0, false, null, null, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void loadsAreSummed() {
    assertThat(store.totals(0)).isEqualTo(new Totals(0, false, 0, 0, 0, 0, 0, 0, 0, 0));
    store.put(List.of(load("a", 5, null), load("b", 10_000, 20L)));

    assertThat(store.totals(20)).isEqualTo(new Totals(10_005, true, 44, 2, 0, 0, 6, 2, 48, 40));
    assertThat(store.totals(21).lateGroups()).isOne();
  }

  @Test
  void groupsAreCountedByOwner() {
    stores.nodeGroups().takeOwnership(nodeGroup, 7, 0);
    stores.nodeGroups().takeOwnership(newNodeGroup(), 7, 0);
    stores.nodeGroups().takeOwnership(newNodeGroup(), 8, 0);

    assertThat(store.groupsByOwner()).containsOnly(Map.entry(7, 2L), Map.entry(8, 1L));
  }
}
