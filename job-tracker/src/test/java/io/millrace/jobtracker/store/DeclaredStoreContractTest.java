package io.millrace.jobtracker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.DeclareResult.Change;
import io.millrace.api.Job;
import io.millrace.jobtracker.domain.job.DeclaredDefinition;
import io.millrace.jobtracker.domain.job.DeclaredJob;
import io.millrace.jobtracker.domain.job.DeclaredJob.Former;
import io.millrace.jobtracker.domain.job.DeclaredJob.Latest;
import io.millrace.jobtracker.domain.job.DeclaredJob.Retirement;
import io.millrace.jobtracker.domain.job.Pause;
import io.millrace.jobtracker.store.declared.DeclaredStore;
import io.millrace.jobtracker.store.declared.DeclaredStore.Owner;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeclaredStoreContractTest extends StoreContract {
  private DeclaredStore declared;
  private String owner;

  @BeforeEach
  void open() {
    declared = stores.declared();
    owner = "owner of " + nodeGroup;
  }

  private Latest latest(String declarationId, int page, Change change) {
    return new Latest(owner, 7L, declarationId, page, change, null);
  }

  private DeclaredJob row(String taskId, String declarationId) {
    Job job = Job.builder(nodeGroup, taskId).every(Duration.ofMinutes(1)).param("a", "b").build();
    return new DeclaredJob(
        StoreRows.nextId(),
        nodeGroup,
        taskId,
        latest(declarationId, 0, Change.ADDED),
        DeclaredDefinition.of(job, "shop"),
        "declared-" + taskId,
        5_000,
        null,
        Former.NONE);
  }

  @Test
  void ownerHasNothingAtFirstAndThenTheDeclarationThatBeganLast() {
    assertThat(declared.lockOwner(owner)).isEqualTo(new Owner(owner, null, "", 0, 0));

    declared.begin(owner, "first-" + nodeGroup, 7L, 5_000);
    declared.pageApplied(owner, 2, 300);

    assertThat(declared.lockOwner(owner))
        .isEqualTo(new Owner(owner, 7L, "first-" + nodeGroup, 2, 300));
    declared.begin(owner, "second-" + nodeGroup, null, 6_000);
    assertThat(declared.lockOwner(owner))
        .isEqualTo(new Owner(owner, null, "second-" + nodeGroup, 0, 0));
    assertThat(declared.hasBegun("first-" + nodeGroup)).isTrue();
    assertThat(declared.hasBegun("third-" + nodeGroup)).isFalse();
  }

  @Test
  void rowIsReadBackAsItWasWritten() {
    DeclaredJob plain = row("a", "d");
    DeclaredJob retired =
        row("b", "d")
            .seen(
                latest("d", 1, Change.RETIRED),
                new Retirement(9_000, new Pause("ann", 8_000, "x")));
    declared.insert(List.of(plain, retired));

    assertThat(declared.find(nodeGroup, "a")).contains(plain);
    assertThat(declared.find(nodeGroup, "b")).contains(retired);
    assertThat(declared.find(nodeGroup, "c")).isEmpty();
    assertThat(declared.lock(nodeGroup, List.of("a", "b", "c")))
        .containsExactlyInAnyOrder(plain, retired);
  }

  @Test
  void rowIsWrittenOverByItsId() {
    DeclaredJob before = row("a", "d");
    declared.insert(List.of(before));
    DeclaredJob after =
        new DeclaredJob(
            before.id(),
            nodeGroup,
            "a",
            new Latest("another", null, "e", 3, Change.CHANGED, "why"),
            DeclaredDefinition.of(Job.builder(nodeGroup, "a").cron("@daily").build(), ""),
            "declared-2",
            6_000,
            null,
            new Former("f".repeat(64), 2));

    declared.update(after);

    assertThat(declared.find(nodeGroup, "a")).contains(after);
  }

  @Test
  void keyHasOneRow() {
    declared.insert(List.of(row("a", "d")));

    assertThatThrownBy(() -> declared.insert(List.of(row("a", "d"))))
        .isInstanceOf(DuplicateKeyException.class);
  }

  @Test
  void jobsThatADeclarationHadAreNotMissing() {
    List<DeclaredJob> rows =
        IntStream.range(0, 700).mapToObj(i -> row("task-" + i, "old-" + nodeGroup)).toList();
    declared.insert(rows);
    List<Long> most = rows.subList(0, 690).stream().map(DeclaredJob::id).toList();

    declared.mark(most, latest("new", 4, Change.UNCHANGED));

    assertThat(declared.findMissing(owner, "new", 100))
        .containsExactlyElementsOf(rows.subList(690, 700));
    assertThat(declared.findMissing(owner, "new", 3)).hasSize(3);
    assertThat(declared.find(nodeGroup, "task-0").orElseThrow().latest())
        .isEqualTo(latest("new", 4, Change.UNCHANGED));
  }

  @Test
  void retiredJobsAreFoundByTheirPageAndAreNotMissing() {
    DeclaredJob job = row("a", "d");
    declared.insert(List.of(job));
    DeclaredJob retired = job.seen(latest("e", 3, Change.RETIRED), new Retirement(9_000, null));

    declared.update(retired);

    assertThat(declared.findRetired(owner, "e", 3)).containsExactly(retired);
    assertThat(declared.findRetired(owner, "e", 2)).isEmpty();
    assertThat(declared.findMissing(owner, "f", 10)).isEmpty();
  }

  @Test
  void oldDeclarationsAreForgotten() {
    declared.lockOwner(owner);
    declared.begin(owner, "old-" + nodeGroup, null, 1_000);
    declared.begin(owner, "young-" + nodeGroup, null, 100_000);

    int unused = declared.forget(2_000, 1_000);

    assertThat(declared.hasBegun("old-" + nodeGroup)).isFalse();
    assertThat(declared.hasBegun("young-" + nodeGroup)).isTrue();
  }

  @Test
  void transactionsOfOneOwnerFollowOneAnother() {
    declared.lockOwner(owner);
    try (Racer racer = new Racer()) {
      Callable<Integer> count =
          () ->
              stores
                  .transactions()
                  .inTransaction(
                      "count",
                      () -> {
                        int pages = declared.lockOwner(owner).pages() + 1;
                        declared.pageApplied(owner, pages, 0);
                        return pages;
                      });
      List<Integer> counts = racer.together(List.of(count, count, count, count));

      assertThat(counts).containsExactlyInAnyOrder(1, 2, 3, 4);
    }
  }
}
