package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.params;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.DeclareResult.Change;
import io.millrace.api.Job;
import io.millrace.api.RetryPolicy;
import io.millrace.jobtracker.domain.job.DeclaredDefinition;
import io.millrace.jobtracker.domain.job.DeclaredJob;
import io.millrace.jobtracker.domain.job.DeclaredJob.Former;
import io.millrace.jobtracker.domain.job.DeclaredJob.Latest;
import io.millrace.jobtracker.domain.job.DeclaredJob.Retirement;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.store.JobStore.FoundJob;
import io.millrace.jobtracker.store.JobStore.FoundJobs;
import io.millrace.jobtracker.store.JobStore.Place;
import io.millrace.jobtracker.store.JobStore.Search;
import io.millrace.jobtracker.store.order.Direction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobSearchContractTest extends StoreContract {
  private JobStore store;

  @BeforeEach
  void takeStore() {
    store = stores.jobs();
  }

  private JobDefinition inserted(String group, String taskId) {
    return inserted(group, taskId, JobState.ACTIVE, "mailer");
  }

  private JobDefinition inserted(
      String group, String taskId, JobState state, @Nullable String handler) {
    JobDefinition plain = StoreRows.job(group, taskId, 1, state, null, StoredParams.NONE);
    TriggerSpec spec =
        new TriggerSpec(handler, RetryPolicy.DEFAULT, false, false, "", "submission-1", "client-1");
    JobDefinition job =
        new JobDefinition(
            plain.id(),
            group,
            taskId,
            1,
            state,
            plain.schedule(),
            spec,
            params("{\"handler\":\"printer\"}"),
            plain.priority(),
            plain.acceptedAt(),
            plain.generatedUntil(),
            null,
            plain.firedCount(),
            false);
    store.insert(job);
    return job;
  }

  private Search inGroup() {
    return new Search(nodeGroup, null, null, null, null);
  }

  private static List<String> tasks(FoundJobs found) {
    return found.jobs().stream().map(job -> job.job().taskId()).toList();
  }

  /** All pages of a search, one task id after the other; the other direction has the reverse. */
  private List<String> everything(Search search, int limit, int lookAt) {
    List<String> tasks = everything(search, Direction.ASCENDING, limit, lookAt);
    List<String> descending = everything(search, Direction.DESCENDING, limit, lookAt);
    Collections.reverse(descending);
    assertThat(descending).isEqualTo(tasks);
    return tasks;
  }

  private List<String> everything(Search search, Direction direction, int limit, int lookAt) {
    List<String> tasks = new ArrayList<>();
    Place place = null;
    int pages = 0;
    do {
      FoundJobs found = store.search(search, direction, place, limit, lookAt);
      assertThat(found.jobs()).hasSizeLessThanOrEqualTo(limit);
      tasks.addAll(tasks(found));
      place = found.next();
      pages++;
    } while (place != null && pages < 1_000);
    return tasks;
  }

  @Test
  void jobComesBackWithoutItsParametersAndWithItsTurns() {
    JobDefinition job = inserted(nodeGroup, "a");
    store.lock(List.of(job.id()));
    store.setTurns(job.id(), 1, 3);

    FoundJob found = store.search(inGroup(), Place.START, 10, 100).jobs().get(0);

    assertThat(found.turns()).isEqualTo(new RunCounts(1, 3));
    assertThat(found.job().params().isLeftInStore()).isTrue();
    assertThat(found.job().params().bytes()).isEqualTo(job.params().bytes());
    assertThat(found.job()).usingRecursiveComparison().ignoringFields("params").isEqualTo(job);
  }

  @Test
  void pagesFollowOneAnotherInOrderOfTheTaskId() {
    for (String task : List.of("c", "a", "B", "d/e", "b c")) {
      inserted(nodeGroup, task);
    }
    inserted(newNodeGroup(), "a");

    FoundJobs first = store.search(inGroup(), Place.START, 2, 100);

    assertThat(tasks(first)).containsExactly("B", "a");
    assertThat(first.next()).isEqualTo(new Place(nodeGroup, "a"));
    assertThat(everything(inGroup(), 2, 100)).containsExactly("B", "a", "b c", "c", "d/e");
  }

  private List<Place> places(Search search, Direction direction) {
    List<Place> found = new ArrayList<>();
    Place place = null;
    do {
      FoundJobs page = store.search(search, direction, place, 1, 100);
      page.jobs().forEach(job -> found.add(new Place(job.job().nodeGroup(), job.job().taskId())));
      place = page.next();
    } while (place != null);
    return found;
  }

  @Test
  void allGroupsAreGoneThroughInOrder() {
    String second = newNodeGroup();
    String longer = nodeGroup + "-x";
    stores.nodeGroups().ensure(longer, Integer.MAX_VALUE);
    inserted(second, "every-1");
    inserted(longer, "every-1");
    inserted(nodeGroup, "every-1");
    inserted(nodeGroup, "every-2");
    Search search = new Search(null, "every-", null, null, null);

    List<Place> found = places(search, Direction.ASCENDING);
    List<Place> descending = places(search, Direction.DESCENDING);

    Collections.reverse(descending);
    assertThat(descending).isEqualTo(found);
    assertThat(found)
        .containsExactlyInAnyOrder(
            new Place(nodeGroup, "every-1"),
            new Place(nodeGroup, "every-2"),
            new Place(longer, "every-1"),
            new Place(second, "every-1"))
        .isSortedAccordingTo(Comparator.comparing(Place::nodeGroup).thenComparing(Place::taskId));
  }

  @Test
  void moreGroupsThanOneSearchGoesThroughAreLeftToTheNext() {
    for (int i = 0; i < 120; i++) {
      inserted(newNodeGroup(), "one-of-many");
    }
    Search search = new Search(null, "one-of-many", null, null, null);

    assertThat(everything(search, 500, 100)).hasSize(120);
    assertThat(store.search(search, Place.START, 500, 100).next()).isNotNull();
  }

  @Test
  void prefixIsTakenLiterallyAndCompletely() {
    List<String> all = List.of("a", "a%", "a%1", "a_1", "aa", "ab", "a\uD7FF", "b", "A%1");
    all.forEach(task -> inserted(nodeGroup, task));
    inserted(nodeGroup, "a%🌾");

    assertThat(everything(new Search(nodeGroup, "a%", null, null, null), 2, 100))
        .containsExactly("a%", "a%1", "a%🌾");
    assertThat(everything(new Search(nodeGroup, "a\uD7FF", null, null, null), 2, 100))
        .containsExactly("a\uD7FF");
    assertThat(everything(new Search(nodeGroup, "a%🌾", null, null, null), 2, 100))
        .containsExactly("a%🌾");
    assertThat(everything(new Search(nodeGroup, "none", null, null, null), 2, 100)).isEmpty();
  }

  @Test
  void containedTextIsFoundInWhateverCase() {
    List.of("report-daily", "Daily", "weekly", "10%", "DAILY_2")
        .forEach(task -> inserted(nodeGroup, task));

    assertThat(everything(new Search(nodeGroup, null, "dAiLy", null, null), 10, 100))
        .containsExactly("DAILY_2", "Daily", "report-daily");
    assertThat(everything(new Search(nodeGroup, null, "%", null, null), 10, 100))
        .containsExactly("10%");
  }

  @Test
  void stateAndHandlerAreFiltered() {
    inserted(nodeGroup, "a", JobState.PAUSED, "mailer");
    inserted(nodeGroup, "b", JobState.ACTIVE, "printer");
    inserted(nodeGroup, "c", JobState.ACTIVE, null);
    inserted(nodeGroup, "d", JobState.PAUSED, "print\"er");
    inserted(nodeGroup, "e", JobState.PAUSED, "printer");

    assertThat(everything(new Search(nodeGroup, null, null, JobState.PAUSED, null), 2, 100))
        .containsExactly("a", "d", "e");
    assertThat(everything(new Search(nodeGroup, null, null, null, "printer"), 2, 100))
        .containsExactly("b", "e");
    assertThat(everything(new Search(nodeGroup, null, null, null, "print\"er"), 2, 100))
        .containsExactly("d");
    assertThat(everything(new Search(nodeGroup, "e", "E", JobState.PAUSED, "printer"), 2, 100))
        .containsExactly("e");
  }

  @Test
  void jobHasTheOwnerThatDeclaresItNowAndIsFoundByIt() {
    List.of("a", "b", "c", "d").forEach(task -> inserted(nodeGroup, task));
    Retirement retirement = new Retirement(9_000, null);
    stores
        .declared()
        .insert(
            List.of(
                declared(nodeGroup, "a", "billing", null),
                declared(nodeGroup, "b", "shop", null),
                declared(nodeGroup, "c", "billing", retirement),
                declared(newNodeGroup(), "d", "billing", null)));

    assertThat(store.search(inGroup(), Place.START, 10, 100).jobs())
        .extracting(FoundJob::owner)
        .containsExactly("billing", "shop", null, null);
    assertThat(everything(new Search(nodeGroup, null, null, null, null, "billing"), 2, 100))
        .containsExactly("a");
    assertThat(everything(new Search(nodeGroup, "b", null, null, "mailer", "shop"), 2, 1))
        .containsExactly("b");
    assertThat(everything(new Search(nodeGroup, null, null, null, null, "Billing"), 2, 100))
        .isEmpty();
  }

  private static DeclaredJob declared(
      String group, String taskId, String owner, @Nullable Retirement retirement) {
    return new DeclaredJob(
        StoreRows.nextId(),
        group,
        taskId,
        new Latest(owner, 7L, "declaration-1", 0, Change.ADDED, null),
        DeclaredDefinition.of(Job.builder(group, taskId).cron("@daily").build(), ""),
        "declared-" + taskId,
        5_000,
        retirement,
        Former.NONE);
  }

  @Test
  void searchLooksAtSoManyJobsAndSaysHowFarItCame() {
    for (int i = 10; i < 20; i++) {
      inserted(nodeGroup, "task-" + i);
    }
    inserted(nodeGroup, "wanted");
    Search search = new Search(nodeGroup, null, "want", null, null);

    FoundJobs first = store.search(search, Place.START, 5, 4);

    assertThat(first.jobs()).isEmpty();
    assertThat(first.next()).isEqualTo(new Place(nodeGroup, "task-13"));
    assertThat(everything(search, 5, 4)).containsExactly("wanted");
  }

  @Test
  void whatIsLookedAtIsBoundedOverAllGroups() {
    String other = newNodeGroup();
    List.of("x-1", "x-2", "x-3").forEach(task -> inserted(nodeGroup, task));
    List.of("x-1", "x-2", "x-3").forEach(task -> inserted(other, task));
    Search search = new Search(null, "x-", "x-3", null, null);

    assertThat(everything(search, 10, 2)).containsExactly("x-3", "x-3");
    assertThat(everything(search, 10, 4)).containsExactly("x-3", "x-3");
    assertThat(everything(search, 10, 100)).containsExactly("x-3", "x-3");
  }
}
