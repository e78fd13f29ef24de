package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.api.fleet.WorkerRoutes.WorkerDetail;
import io.millrace.console.api.fleet.WorkerRoutes.WorkerPage;
import io.millrace.console.api.fleet.WorkerRoutes.WorkerSummary;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.WorkerStore;
import io.millrace.jobtracker.store.console.WorkerStore.Worker;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers on record, of groups that the tracker does not serve. */
class WorkerRoutesTest {
  private static RunningConsole console;
  private static WorkerStore workers;

  @BeforeAll
  static void open() {
    console = RunningConsole.over(TestDatabase.h2());
    workers = console.database().stores().console().fleet().workers();
  }

  @AfterAll
  static void close() {
    console.close();
  }

  @BeforeEach
  void forgetAll() {
    console.database().execute("DELETE FROM jt_worker");
  }

  private static Worker worker(
      String id,
      String group,
      @Nullable Integer slots,
      @Nullable Integer begun,
      long lastPullAt,
      @Nullable Long disconnectedAt) {
    return new Worker(
        id,
        group,
        0,
        9,
        "10.0.0.7:5",
        "1.2",
        slots,
        begun,
        3,
        List.of(42L),
        1_000,
        lastPullAt,
        disconnectedAt,
        false,
        List.of(),
        List.of("parts"),
        List.of("eu", "gpu"));
  }

  private static long now() {
    return console.database().stores().time().databaseNow();
  }

  private static Worker alive(String id, String group) {
    return worker(id, group, 4, 4, now(), null);
  }

  private static <T> T get(String path, Class<T> type) throws Exception {
    RunningConsole.Answered answered = console.ask("GET", "/api/v1" + path).send();
    assertThat(answered.status()).as(answered.body()).isEqualTo(200);
    return answered.as(type);
  }

  private static RunningConsole.Answered post(String path) throws Exception {
    return console.ask("POST", "/api/v1" + path).send();
  }

  @Test
  void workersAreListedPageByPageOfAllGroupsAndOfOne() throws Exception {
    workers.put(
        List.of(alive("w-1", "a"), alive("w-1", "b"), alive("w-2", "a"), alive("w+3&", "b")));

    List<String> seen = new ArrayList<>();
    String after = "";
    do {
      WorkerPage page = get("/workers?limit=2" + after, WorkerPage.class);
      page.items().forEach(row -> seen.add(row.id() + "/" + row.group()));
      after =
          page.next() == null
              ? null
              : "&after=" + URLEncoder.encode(page.next(), StandardCharsets.UTF_8);
    } while (after != null);
    assertThat(seen).containsExactlyInAnyOrder("w-1/a", "w-1/b", "w-2/a", "w+3&/b");

    WorkerPage ofGroup = get("/workers?group=a&limit=1", WorkerPage.class);
    assertThat(ofGroup.items()).extracting(WorkerSummary::id).containsExactly("w-1");
    ofGroup = get("/workers?group=a&limit=1&after=" + ofGroup.next(), WorkerPage.class);
    assertThat(ofGroup.items()).extracting(WorkerSummary::id).containsExactly("w-2");
    assertThat(get("/workers?group=nobody", WorkerPage.class).items()).isEmpty();
  }

  @Test
  void slotsAndConnectionsAreToldAsFarAsTheyAreKnown() throws Exception {
    long now = now();
    workers.put(
        List.of(
            worker("busy", "a", 4, 7, now, null),
            worker("idle", "a", 4, 0, now, null),
            worker("lost", "a", 4, 0, now, now),
            worker("old", "a", null, null, now, null),
            worker("silent", "a", 4, 0, now - 60_000, null)));

    List<WorkerSummary> rows = get("/workers", WorkerPage.class).items();

    assertThat(rows).extracting(WorkerSummary::slotsInUse).containsExactly(4, 0, 0, null, 0);
    assertThat(rows).extracting(WorkerSummary::prefetched).containsExactly(3, 0, 0, null, 0);
    assertThat(rows)
        .extracting(WorkerSummary::connected)
        .containsExactly(true, true, false, true, false);
    WorkerDetail detail = get("/workers/busy", WorkerDetail.class);
    assertThat(detail.worker()).isEqualTo(rows.get(0));
    assertThat(detail.worker().features()).containsExactly("parts");
    assertThat(detail.worker().labels()).containsExactly("eu", "gpu");
    assertThat(detail.executing()).as("what it held has ended").isEmpty();
    assertThat(detail.more()).as("it held three, and one was named").isTrue();
  }

  @Test
  void aWorkerOfSeveralGroupsIsAskedForByGroup() throws Exception {
    workers.put(List.of(alive("w-1", "a"), alive("w-1", "b")));

    assertThat(post("/workers/w-1/drain").status()).isEqualTo(409);
    assertThat(post("/workers/w-1/drain?group=c").status()).isEqualTo(404);
    RunningConsole.Answered drained = post("/workers/w-1/drain?group=b");

    assertThat(drained.status()).as(drained.body()).isEqualTo(200);
    assertThat(drained.as(WorkerSummary.class).draining()).isTrue();
    assertThat(get("/workers", WorkerPage.class).items())
        .extracting(WorkerSummary::draining)
        .containsExactly(false, true);
    assertThat(post("/workers/w-1/undrain?group=b").as(WorkerSummary.class).draining()).isFalse();
  }

  private static List<String> inOrder(String query, int limit) throws Exception {
    List<String> ids = new ArrayList<>();
    String after = "";
    while (after != null) {
      WorkerPage page =
          get("/workers?limit=%d&%s%s".formatted(limit, query, after), WorkerPage.class);
      page.items().forEach(row -> ids.add(row.id()));
      after =
          page.next() == null
              ? null
              : "&after=" + URLEncoder.encode(page.next(), StandardCharsets.UTF_8);
    }
    return ids;
  }

  @Test
  void workersAreListedInTheOrderThatIsWanted() throws Exception {
    long now = now();
    workers.put(
        List.of(
            worker("busy", "a", 4, 7, now - 2_000, null),
            worker("half", "a", 8, 4, now, null),
            worker("idle", "b", 9, 0, now - 1_000, null),
            worker("old", "a", null, null, now - 3_000, null)));

    for (int limit = 1; limit <= 5; limit++) {
      assertThat(inOrder("order=NAME", limit)).containsExactly("busy", "half", "idle", "old");
      assertThat(inOrder("order=NAME_DESCENDING", limit))
          .containsExactly("old", "idle", "half", "busy");
      assertThat(inOrder("order=NAME_DESCENDING&group=a", limit))
          .containsExactly("old", "half", "busy");
      assertThat(inOrder("order=USED_SLOTS", limit)).containsExactly("busy", "half", "idle", "old");
      assertThat(inOrder("order=FREE_SLOTS", limit)).containsExactly("idle", "half", "busy", "old");
      assertThat(inOrder("order=LONGEST_SILENT&group=a", limit))
          .containsExactly("old", "busy", "half");
      assertThat(inOrder("order=LONGEST_SILENT&contains=L", limit))
          .containsExactly("old", "idle", "half");
    }
  }
}
