package io.millrace.jobtracker.domain.snapshot;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was read when nothing is known of a task id.
 *
 * @param nodeGroup the group that was asked about
 * @param taskId the task id that was asked about
 * @param isGroupKnown whether there is such a node group
 * @param knownGroups all node groups
 * @param groupsWithTask other node groups that have a live job of this task id
 * @param searchedRows how many of the ledger's newest rows were searched
 * @param searchedBackTo how far back that reaches, in epoch milliseconds; null if the whole ledger
 *     was searched
 */
public record UnknownTask(
    String nodeGroup,
    String taskId,
    boolean isGroupKnown,
    List<String> knownGroups,
    List<String> groupsWithTask,
    long searchedRows,
    @Nullable Long searchedBackTo) {
  public UnknownTask {
    knownGroups = List.copyOf(knownGroups);
    groupsWithTask = List.copyOf(groupsWithTask);
  }
}
