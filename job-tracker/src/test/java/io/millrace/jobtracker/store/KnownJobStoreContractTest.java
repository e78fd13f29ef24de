package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.ended;
import static io.millrace.jobtracker.store.StoreRows.executing;
import static io.millrace.jobtracker.store.StoreRows.job;
import static io.millrace.jobtracker.store.StoreRows.nextId;
import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static io.millrace.jobtracker.store.StoreRows.planned;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KnownJobStoreContractTest extends StoreContract {

  @Test
  void nothingIsKnownOfNewJobs() {
    assertThat(findKnown("a", "b", "c")).isEmpty();
    assertThat(stores.knownJobs().findKnown(nodeGroup, List.of())).isEmpty();
  }

  @Test
  void taskIdThatExecutesIsKnown() {
    stores.executing().insert(List.of(executing(nodeGroup, "one-shot")));
    stores
        .executing()
        .insert(
            List.of(
                executing(nodeGroup, planned(7, "recurring", 5_000)),
                executing(nodeGroup, planned(7, "recurring", 6_000))));

    assertThat(findKnown("one-shot", "recurring", "other"))
        .containsExactlyInAnyOrder("one-shot", "recurring");
  }

  @Test
  void taskIdOfARunThatWasSplitIsKnown() {
    stores.batches().insert(List.of(StoreRows.batch(nodeGroup, oneShot("split"), 2)));
    stores.batches().insert(List.of(StoreRows.batch(newNodeGroup(), oneShot("elsewhere"), 2)));

    assertThat(findKnown("split", "elsewhere", "other")).containsExactly("split");
  }

  @Test
  void taskIdWithADefinitionIsKnownInEveryState() {
    List<String> taskIds = new ArrayList<>();
    for (JobState state : JobState.values()) {
      taskIds.add("task-" + state);
      stores.jobs().insert(job(nodeGroup, "task-" + state, 1, state, null, StoredParams.NONE));
    }

    assertThat(findKnown(taskIds.toArray(String[]::new)))
        .containsExactlyInAnyOrderElementsOf(taskIds);
  }

  @Test
  void taskIdsOfOtherNodeGroupsAndInOtherCaseAreNotKnown() {
    String other = newNodeGroup();
    stores.executing().insert(List.of(executing(other, "a"), executing(nodeGroup, "B")));
    stores.jobs().insert(job(other, "c"));
    stores.jobs().insert(job(nodeGroup, "D"));

    assertThat(findKnown("a", "b", "c", "d")).isEmpty();
  }

  @Test
  void whatWaitsIsNoConcernOfIts() {
    stores.waiting().insert(nodeGroup, List.of(oneShot("a")));

    assertThat(findKnown("a")).isEmpty();
  }

  @Test
  void submissionInTheLedgerIsKnownWhateverItsTaskId() {
    stores
        .ledger()
        .append(List.of(endOf("earlier", "resent"), endOf("earlier", "resent"), endOf("a", "x")));

    assertThat(
            stores
                .knownJobs()
                .findKnown(
                    nodeGroup,
                    List.of(
                        new KnownJobStore.Identity("later", "resent"),
                        new KnownJobStore.Identity("a", "new"),
                        new KnownJobStore.Identity("b", "RESENT"))))
        .containsExactly("later");
  }

  private LedgerEntry endOf(String taskId, String submissionId) {
    return ended(
        nextId(), nodeGroup, 77, taskId, 5_000, LedgerStatus.SUCCEEDED, submissionId, "done");
  }

  /** Whatever the number, and wherever in it those stand of which something is known. */
  @Test
  void manyAreAskedForAtOnce() {
    for (int jobs : new int[] {1, 2, 3, 7, 64, 65, 256, 700}) {
      String[] taskIds =
          IntStream.range(0, jobs).mapToObj(i -> jobs + "-" + i).toArray(String[]::new);
      String first = taskIds[0];
      String last = taskIds[jobs - 1];
      stores.executing().insert(List.of(executing(nodeGroup, first)));
      if (jobs > 1) {
        stores.jobs().insert(job(nodeGroup, last));
      }

      assertThat(findKnown(taskIds)).containsOnly(first, last);
    }
  }

  @Test
  void oddCharactersAreFound() {
    String odd = "größer \uD83D\uDE00 'quoted' \\ %_";
    stores.executing().insert(List.of(executing(nodeGroup, odd)));

    assertThat(findKnown(odd, "groesser")).containsExactly(odd);
  }

  private Set<String> findKnown(String... taskIds) {
    return stores
        .knownJobs()
        .findKnown(
            nodeGroup,
            Arrays.stream(taskIds)
                .map(taskId -> new KnownJobStore.Identity(taskId, "new-" + taskId))
                .toList());
  }
}
