package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In which order lists are, and how many match. */
@InBrowser
class OrderAndTotalsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  private static List<String> cells(Operator operator, int column) {
    return operator.texts("tbody td:nth-child(%d)".formatted(column));
  }

  @Test
  void deadTriggersAreTurnedRoundByTheHeadOfTheirTime(Operator operator, ConsoleScene scene) {
    scene.die("turned:1", "first");
    scene.die("turned:2", "second");
    operator.open("/dead?taskId=turned%3A");
    operator.seesIn(".total", "Total: 2");
    assertThat(cells(operator, 3)).containsExactly("turned:2", "turned:1");
    assertThat(operator.script("return document.querySelector('[aria-sort]').ariaSort"))
        .isEqualTo("descending");
    assertThat(Accessibility.barriers(operator)).isEmpty();

    operator.click("Turn the order round");

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(cells(operator, 3)).containsExactly("turned:1", "turned:2"));
    assertThat(operator.script("return document.querySelector('[aria-sort]').ariaSort"))
        .isEqualTo("ascending");
    assertThat(operator.address()).contains("order=OLDEST_FIRST");
    operator.type("Job begins with", "turned:2");
    operator.click("Search");
    operator.seesIn(".total", "Total: 1");
    assertThat(operator.address()).contains("order=OLDEST_FIRST").contains("turned%3A2");
    operator.click("Save this search");
    operator.type("Name of the search", "turned");
    operator.click("Save the search");
    operator.open("/dead");
    operator.click("turned");
    operator.seesIn(".total", "Total: 1");
    assertThat(operator.address()).contains("order=OLDEST_FIRST");
  }

  @Test
  void historyIsTurnedRoundAlsoOfOneJob(Operator operator, ConsoleScene scene) {
    scene.client().submit(Job.builder("orders", "order:1").build());
    scene.endOf("orders", "order:1");
    scene.client().submit(Job.builder("orders", "order:2").build());
    scene.endOf("orders", "order:2");
    operator.open("/history?group=orders");
    assertThat(cells(operator, 2).get(0)).isEqualTo("order:2");

    operator.click("Turn the order round");
    operator.settle();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(cells(operator, 2).get(0)).isNotEqualTo("order:2"));
    assertThat(operator.focus()).isEqualTo("Started ▲");

    operator.open("/history?group=orders&task=order%3A1");
    operator.seesIn("th[aria-sort]", "Planned for");
    operator.seesIn(".total", "Total: 1");
  }

  @Test
  void listsSayHowManyMatch(Operator operator, ConsoleScene scene) {
    Instant at = Instant.now().plus(Duration.ofHours(5));
    scene
        .client()
        .submitAll(
            IntStream.range(0, 70)
                .mapToObj(i -> Job.builder("totals", "letter:%03d".formatted(i)).at(at).build())
                .toList());
    operator.open("/waiting?group=totals");
    operator.seesIn(".total", "Total: 70");
    operator.open("/waiting?group=totals&prefix=letter%3A00");
    operator.seesIn(".total", "Total: 10");
    operator.open("/running?group=reports&task=" + ConsoleScene.UNDER_WAY);
    operator.seesIn(".total", "Total: 1");
    operator.open("/jobs?group=reports&contains=weekly");
    operator.seesIn(".total", "Total: 1");
    operator.type("Name contains", "no-such");
    operator.click("Search");
    operator.seesIn(".total", "Total: 0");
  }

  /** The count waits for an answer that does not come until it is asked for something else. */
  @Test
  void countOfAFormerSearchIsEndedAndTheListDoesNotWaitForIt(
      Operator operator, ConsoleScene scene) {
    operator.script(
        """
        const ask = window.fetch;
        window.ended = [];
        window.fetch = (url, options) =>
          url.includes('/jobs/count') && url.includes('weekly')
            ? new Promise((_, fail) =>
                options.signal.addEventListener('abort', () => {
                  window.ended.push(url);
                  fail(options.signal.reason);
                }))
            : ask(url, options);
        """);
    operator.script("location.hash = '#/jobs?group=reports&contains=weekly'");
    operator.seesIn("tbody tr", "weekly-summary");
    assertThat(operator.texts(".total")).containsExactly("");

    operator.script("location.hash = '#/jobs?group=reports&contains=daily'");

    operator.seesIn(".total", "Total: 1");
    assertThat((List<?>) operator.script("return window.ended")).hasSize(1);
  }

  /** The tracker has fewer jobs than a count examines, so the count that is cut is made up. */
  @Test
  void longListIsCountedToItsEndOnceTheUserWantsIt(Operator operator, ConsoleScene scene) {
    operator.script(
        """
        const ask = window.fetch;
        window.whole = 0;
        window.fetch = async (url, options) => {
          window.whole += url.includes('upTo=10000000') ? 1 : 0;
          return url.includes('/jobs/count') && !url.includes('upTo')
            ? Response.json({ count: 10000, examined: 10000, atLeast: true })
            : ask(url, options);
        };
        """);
    operator.script("location.hash = '#/jobs?group=reports&contains=weekly'");
    operator.seesIn(".total", "Total: more than 10,000");
    assertThat(Accessibility.barriers(operator)).isEmpty();

    operator.click("Count all");

    operator.seesIn(".total", "Total: 1 (counted at ");
    operator.click("Count again");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(operator.script("return window.whole")).isEqualTo(2L));
    operator.seesIn(".total", "Count again");
  }
}
