package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.api.RetryPolicy;
import io.millrace.console.api.batch.BatchRoutes.BatchPage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The heads of columns sort lists, and further pages go on in the order. Pages have two rows. */
@InBrowser
class OrdersByHandTest {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final List<String> RUNNING = List.of("order-run-1", "order-run-2");

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.admin());
    operator.script(
        """
        const ask = window.fetch;
        window.fetch = (url, options) => ask(url.replace(/limit=50\\b/, 'limit=2'), options);
        """);
  }

  private static List<String> cells(Operator operator, int column) {
    return operator.texts("tbody td:nth-child(%d)".formatted(column));
  }

  /** What a column has, over all pages. */
  private static List<String> everything(Operator operator, int column) {
    List<String> all = new ArrayList<>();
    List<String> page = pageAfter(List.of(), operator, column);
    while (true) {
      assertThat(page).hasSizeLessThanOrEqualTo(2);
      all.addAll(page);
      if (page.isEmpty() || !operator.canClick("Next page")) {
        return all;
      }
      operator.click("Next page");
      page = pageAfter(page, operator, column);
    }
  }

  /** What a column has once there is another page; nothing if that is an empty one at the end. */
  private static List<String> pageAfter(List<String> before, Operator operator, int column) {
    operator.settle();
    return await()
        .atMost(PATIENCE)
        .until(
            () -> cells(operator, column),
            page ->
                !page.equals(before) && (!page.isEmpty() || !operator.texts("p.empty").isEmpty()));
  }

  /** Clicks the head of a column and waits until the list is sorted by it. */
  private static void sortBy(Operator operator, String head, String sort, String order) {
    operator.script(
        """
        [...document.querySelectorAll('th button')]
          .find((button) => button.textContent.trim().startsWith(arguments[0]))
          .click();
        """,
        head);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(
                        operator.script(
                            """
                            return [...document.querySelectorAll('th[aria-sort]')]
                              .filter((cell) => cell.ariaSort !== 'none')
                              .map((cell) => `${cell.innerText.split(' ')[0]} ${cell.ariaSort}`)
                              .join();
                            """))
                    .isEqualTo(head.split(" ")[0] + " " + sort));
    assertThat(operator.address()).contains("order=" + order).doesNotContain("after=");
    operator.settle();
  }

  private static void isTurnedRound(
      Operator operator, String address, int column, String head, String sort, String order) {
    operator.open(address);
    List<String> before = everything(operator, column);
    assertThat(before).hasSizeGreaterThan(2);
    operator.open(address);

    sortBy(operator, head, sort, order);

    assertThat(Accessibility.barriers(operator)).isEmpty();
    List<String> turned = everything(operator, column);
    assertThat(operator.address()).contains("order=" + order);
    Collections.reverse(turned);
    assertThat(turned).isEqualTo(before);
    if (operator.canClick("Previous page")) {
      operator.click("Previous page");
      operator.settle();
      assertThat(operator.address()).contains("order=" + order);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/jobs?group=reports, 2, Job, descending, NAME_DESCENDING",
    "/workers, 1, Worker, descending, NAME_DESCENDING",
    "/audit, 1, When, ascending, OLDEST_FIRST",
    "/tokens, 1, Issued, descending, NEWEST_FIRST",
  })
  void headTurnsTheListRound(
      String address, int column, String head, String sort, String order, Operator operator) {
    isTurnedRound(operator, address, column, head, sort, order);
  }

  @Test
  void jobsAreSortedByTheirNextRun(Operator operator) {
    operator.open("/jobs?group=reports");

    sortBy(operator, "Next run", "ascending", "NEXT_FIRE");

    List<String> jobs = everything(operator, 2);
    assertThat(jobs).hasSize(4).endsWith("month-end");
    operator.type("Name contains", "month");
    operator.click("Search");
    await().atMost(PATIENCE).until(() -> cells(operator, 2).equals(List.of("month-end")));
    assertThat(operator.address()).contains("order=NEXT_FIRE");
  }

  @Test
  void whatRunsIsTurnedRound(Operator operator, ConsoleScene scene) {
    for (String task : RUNNING) {
      scene.client().submit(SceneJobs.running(task));
      String unused = scene.executionOf("reports", task);
    }
    try {
      isTurnedRound(operator, "/running?group=reports", 2, "Claimed", "descending", "NEWEST_FIRST");
    } finally {
      RUNNING.forEach(task -> scene.workers().tell(task, SceneWorkers.END));
    }
  }

  @Test
  void whatWaitsIsSortedByNameAndByDueTime(Operator operator, ConsoleScene scene) {
    Instant at = Instant.now().plus(Duration.ofHours(5));
    scene
        .client()
        .submitAll(
            IntStream.range(0, 5)
                .mapToObj(
                    i ->
                        Job.builder("ordered", "letter-" + i)
                            .priority(i * 2 % 5)
                            .at(at.minusSeconds(60L * i))
                            .build())
                .toList());
    List<String> byName = IntStream.range(0, 5).mapToObj(i -> "letter-" + i).toList();
    List<String> backwards = new ArrayList<>(byName);
    Collections.reverse(backwards);
    operator.open("/waiting?group=ordered");
    assertThat(everything(operator, 2))
        .containsExactly("letter-0", "letter-3", "letter-1", "letter-4", "letter-2");

    sortBy(operator, "Job", "ascending", "name");
    assertThat(everything(operator, 2)).isEqualTo(byName);
    sortBy(operator, "Job", "descending", "name-down");
    assertThat(everything(operator, 2)).isEqualTo(backwards);
    sortBy(operator, "Due", "ascending", "due");
    assertThat(everything(operator, 2)).isEqualTo(backwards);
    sortBy(operator, "Due", "descending", "due-down");
    assertThat(everything(operator, 2)).isEqualTo(byName);
    assertThat(Accessibility.barriers(operator)).isEmpty();
  }

  @Test
  void workersAreSortedByTheirSlots(Operator operator) {
    operator.open("/workers");

    sortBy(operator, "Slots", "ascending", "FREE_SLOTS");
    assertThat(everything(operator, 1)).startsWith("orders-1", "orders-2").hasSize(4);
    operator.open("/workers?order=FREE_SLOTS");
    sortBy(operator, "Slots", "descending", "USED_SLOTS");
    assertThat(everything(operator, 1)).startsWith("reports-1").hasSize(4);
    operator.open("/workers");
    sortBy(operator, "Last pull", "descending", "LONGEST_SILENT");
    assertThat(operator.texts("tbody tr")).hasSize(2);
  }

  @Test
  void splitRunsAndTheirPartsAreTurnedRound(Operator operator, ConsoleScene scene) {
    for (int i = 1; i <= 2; i++) {
      scene
          .client()
          .submit(
              Job.builder("orders", "split-" + i)
                  .handler("charge")
                  .shards(3)
                  .retry(RetryPolicy.DEFAULT.withDelays(Duration.ofHours(1), Duration.ofHours(1)))
                  .build());
      String unused = scene.executionOf("orders", "split-" + i);
    }
    await()
        .atMost(PATIENCE)
        .until(
            () -> scene.get("/batches?group=orders", BatchPage.class).items(),
            batches ->
                batches.size() == 3
                    && batches.stream().allMatch(batch -> batch.parts().waiting() >= 3));

    isTurnedRound(operator, "/batches", 1, "Split", "descending", "NEWEST_FIRST");
    isTurnedRound(
        operator,
        "/batches/" + scene.batchUnderWay() + "?state=WAITING",
        1,
        "Part",
        "descending",
        "NUMBER_DESCENDING");
  }
}
