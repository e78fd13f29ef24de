package io.millrace.jobtracker.explain;

import io.millrace.jobtracker.domain.snapshot.UnknownTask;
import io.millrace.jobtracker.store.LedgerStore.OneShotSearch;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.Stores;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads what may help when nothing is known of a task id: which other node groups have it, and
 * which task ids are similar.
 */
final class UnknownTaskReader {
  /** Rows read in each direction from the place of the task id, and from that of its first half. */
  private static final int NEAR_JOBS = 125;

  private static final int NEAR_WAITING = 250;

  /** The most node groups whose definitions are searched, by key. */
  private static final int MAX_GROUPS = 1_000;

  /** The most node groups whose waiting tables are searched, with one query each. */
  private static final int MAX_TABLES = 50;

  private final Stores stores;

  UnknownTaskReader(Stores stores) {
    this.stores = stores;
  }

  /**
   * What was read.
   *
   * @param similarTaskIds those of live jobs that are similar to the one asked about, nearest first
   */
  record Read(UnknownTask absence, List<String> similarTaskIds) {}

  /**
   * @param search how the ledger was searched; null if the node group is not known
   */
  Read read(String nodeGroup, String taskId, @Nullable OneShotSearch search) {
    List<String> groups = stores.nodeGroups().all().stream().map(NodeGroup::name).sorted().toList();
    UnknownTask absence =
        new UnknownTask(
            nodeGroup,
            taskId,
            search != null,
            groups,
            groupsWith(groups.stream().filter(name -> !name.equals(nodeGroup)).toList(), taskId),
            search == null ? 0 : search.rows(),
            search == null ? null : search.backTo());
    return new Read(
        absence, search == null ? List.of() : SimilarTaskIds.to(taskId, near(nodeGroup, taskId)));
  }

  private List<String> groupsWith(List<String> groups, String taskId) {
    Set<String> with =
        new TreeSet<>(
            stores.jobs().groupsWithTask(groups.stream().limit(MAX_GROUPS).toList(), taskId));
    groups.stream()
        .limit(MAX_TABLES)
        .filter(group -> !stores.waiting().findOneShots(group, List.of(taskId)).isEmpty())
        .forEach(with::add);
    return List.copyOf(with);
  }

  /**
   * All task ids of a small group; of a large one, those that sort near the task id or its first
   * half.
   */
  private Set<String> near(String nodeGroup, String taskId) {
    String firstHalf = taskId.substring(0, (taskId.length() + 1) / 2);
    Set<String> near = new TreeSet<>();
    for (String place : List.of(taskId, firstHalf)) {
      near.addAll(stores.jobs().liveTasksNear(nodeGroup, place, NEAR_JOBS));
      near.addAll(stores.waiting().oneShotsNear(nodeGroup, place, NEAR_WAITING));
    }
    return near;
  }
}
