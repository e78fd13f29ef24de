package io.millrace.console.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import java.net.URLDecoder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** Executions over time, and the charts whose points lead to what they count. */
@InBrowser
class TimelineByHandTest {
  private static final String BARS = ".gantt svg.bars a";

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  private static String end(ConsoleScene scene, String task) {
    scene.client().submit(Job.builder("orders", task).build());
    return scene.endOf("orders", task).id();
  }

  @SuppressWarnings("unchecked")
  private static List<String> labels(Operator operator) {
    return (List<String>)
        Objects.requireNonNull(
            operator.script(
                "return [...document.querySelectorAll(arguments[0])]"
                    + ".map((each) => each.getAttribute('aria-label'))",
                BARS));
  }

  private static Map<String, String> query(Operator operator) {
    String address = operator.address();
    return Arrays.stream(address.substring(address.indexOf('?') + 1).split("&"))
        .map(pair -> pair.split("=", 2))
        .collect(Collectors.toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], UTF_8)));
  }

  @Test
  void barLeadsToItsExecutionAndSaysWhatItIs(Operator operator, ConsoleScene scene) {
    String id = end(scene, "bar:1");
    operator.open("/timeline?group=orders&task=bar%3A1");

    assertThat(labels(operator))
        .singleElement()
        .asString()
        .startsWith("succeeded: planned for")
        .contains("ran for");
    operator.script("document.querySelector(arguments[0]).focus()", BARS);
    operator.press(Keys.ENTER);

    operator.sees(id);
    assertThat(operator.address()).endsWith("/#/executions/" + id);
  }

  @Test
  void rowsAreThoseOfJobsOrOfWorkersAndWhatRunsIsAmongThem(Operator operator, ConsoleScene scene) {
    end(scene, "row:1");
    end(scene, "row:2");
    String underWay = scene.executionUnderWay();
    operator.open("/timeline?group=orders");
    assertThat(operator.texts(".gantt .name"))
        .filteredOn(name -> !name.equals("Drag to choose a span"))
        .contains("row:1 orders", "row:2 orders")
        .isSorted()
        .noneMatch(name -> name.contains("reports"));

    operator.open("/timeline");
    assertThat(operator.html()).contains("#/executions/" + underWay);
    assertThat(labels(operator)).anyMatch(label -> label.startsWith("running since"));
    operator.choose("A row for each", "worker");
    operator.click("Search");
    operator.settle();

    assertThat(query(operator)).containsEntry("by", "worker");
    assertThat(operator.texts(".gantt .name a")).contains("orders-1", "reports-1");
    assertThat(Accessibility.barriers(operator)).isEmpty();
  }

  @Test
  void firstBarsAreShownBeforeAllAreLoaded(Operator operator, ConsoleScene scene) {
    Instant from = Instant.now().minus(Duration.ofHours(2));
    append(scene, from, 700);
    operator.script(
        """
        const shown = (window.shownBars = []);
        new MutationObserver(() => {
          const bars = document.querySelectorAll(arguments[0]).length;
          if (bars > 0 && bars !== shown.at(-1)) shown.push(bars);
        }).observe(document, { childList: true, subtree: true });
        """
            .replace("arguments[0]", "'" + BARS + "'"));
    operator.open("/timeline?group=orders&from=" + from + "&to=" + from.plusSeconds(3_600));
    await().untilAsserted(() -> assertThat(labels(operator)).hasSize(700));

    assertThat(operator.script("return window.shownBars.join()")).isEqualTo("200,700");
    assertThat(operator.text()).doesNotContain("Only the newest");
  }

  /** Ended runs of a job that does not exist any more, a second apart. */
  private static void append(ConsoleScene scene, Instant first, int runs) {
    List<PastRun> past = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      past.add(run("many", first.plusSeconds(i), Duration.ofMillis(500)));
    }
    PastRun.write(scene, past);
  }

  private static PastRun run(String task, Instant start, Duration length) {
    return new PastRun("orders", task, 1, start, start, start.plus(length), null);
  }

  @Test
  void pastSpanHasWhatRanInItAndNotWhatRunsNow(Operator operator, ConsoleScene scene) {
    Instant from = Instant.now().minus(Duration.ofHours(9));
    Instant to = from.plus(Duration.ofHours(1));
    String underWay = scene.executionUnderWay();
    operator.open("/timeline?group=reports&from=" + from + "&to=" + to);
    operator.sees("Nothing ran in this span.");
    assertThat(operator.html()).doesNotContain("#/executions/" + underWay);

    Duration quarter = Duration.ofMinutes(15);
    PastRun.write(
        scene,
        run("over before", from.minus(quarter.multipliedBy(3)), quarter),
        run("runs into it", from.minus(quarter.multipliedBy(2)), quarter.multipliedBy(3)),
        run("runs out of it", to.minus(quarter), quarter.multipliedBy(2)),
        run("begins behind it", to.plus(quarter), quarter));
    operator.open("/timeline?group=orders&from=" + from + "&to=" + to);

    operator.sees("runs into it");
    assertThat(operator.texts(".gantt .name a")).containsExactly("runs into it", "runs out of it");
    assertThat(operator.texts(".legend li")).containsExactly("succeeded 2");
  }

  @Test
  void spanIsDraggedOnTheScaleAndMovedByLinks(Operator operator, ConsoleScene scene) {
    end(scene, "span:1");
    Instant to = Instant.now().plusSeconds(60);
    operator.open(
        "/timeline?group=orders&task=span%3A1&from=" + to.minus(Duration.ofHours(4)) + "&to=" + to);
    WebElement scale = operator.browser().driver().findElement(By.cssSelector(".scale"));
    int width = scale.getRect().getWidth();
    new Actions(operator.browser().driver())
        .moveToElement(scale, -width / 4, 0)
        .clickAndHold()
        .moveByOffset(width / 8, 0)
        .moveByOffset(width / 8, 0)
        .release()
        .perform();
    operator.settle();

    Instant from = Instant.parse(query(operator).get("from"));
    Instant until = Instant.parse(query(operator).get("to"));
    assertThat(Duration.between(from, until))
        .isBetween(Duration.ofMinutes(58), Duration.ofMinutes(62));
    assertThat(Duration.between(until, to))
        .isBetween(Duration.ofMinutes(118), Duration.ofMinutes(122));
    operator.sees("Nothing ran in this span.");
    operator.click("Zoom out");
    operator.settle();
    assertThat(Duration.between(Instant.parse(query(operator).get("from")), from))
        .isBetween(Duration.ofMinutes(29), Duration.ofMinutes(31));
    operator.click("The last hour");
    operator.settle();

    assertThat(query(operator)).doesNotContainKeys("from", "to");
    assertThat(labels(operator)).hasSize(1);
  }

  @Test
  void spanThatCannotBeIsNamed(Operator operator, ConsoleScene scene) {
    operator.open("/timeline?task=alone");
    operator.sees("fill in its node group, too");
    operator.open("/timeline?group=orders&task=alone&worker=orders-1");
    operator.sees("Search for a job or for a worker, not for both");

    operator.open("/timeline?from=2030-01-02T00:00:00Z&to=2030-01-01T00:00:00Z");

    operator.sees("The span ends before it begins.");
  }

  /** What each minute of the first chart has, the last one first. */
  private static final String MINUTES =
      """
      const over = document.querySelector('millrace-chart .u-over');
      return Array.from({ length: 60 }, () => {
        const words = over.getAttribute('aria-valuetext');
        over.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' }));
        return words;
      });
      """;

  @Test
  void attemptsThatWereRetriedAreInTheChart(Operator operator, ConsoleScene scene) {
    operator.open("/");
    operator.seesIn("millrace-chart .u-legend th", "retried attempts");

    assertThat((List<?>) operator.script(MINUTES))
        .map(String::valueOf)
        .hasSize(60)
        .anyMatch(minute -> minute.matches(".*, retried attempts [1-9].*"));
  }

  private static PastRun runThatEnds(String task, Instant claimed, Instant at) {
    return new PastRun("chart-points", task, 4_711, claimed, claimed, at, "worker-1");
  }

  @Test
  void pointOfAChartLeadsToWhatItCounts(Operator operator, ConsoleScene scene) {
    operator.open("/");
    WebElement chart =
        operator.browser().driver().findElement(By.cssSelector("millrace-chart .u-over"));
    assertThat(chart.getAttribute("role")).isEqualTo("slider");
    String last = chart.getAttribute("aria-valuetext");
    operator.script("arguments[0].focus()", chart);
    operator.press(Keys.ARROW_LEFT);
    operator.press(Keys.ARROW_LEFT);
    assertThat(chart.getAttribute("aria-valuetext")).isNotEqualTo(last).contains("succeeded");
    operator.press(Keys.ENTER);
    operator.sees("What happened?");

    Instant from = Instant.parse(query(operator).get("from"));
    assertThat(Instant.parse(query(operator).get("to"))).isEqualTo(from.plusSeconds(60));
    assertThat(query(operator)).containsEntry("by", "END");
    PastRun.write(
        scene,
        runThatEnds("counted", from.minus(Duration.ofHours(3)), from.plusSeconds(10)),
        runThatEnds("ends-later", from.plusSeconds(10), from.plusSeconds(60)));
    operator.reload();
    operator.sees("counted");
    assertThat(operator.text()).doesNotContain("ends-later");
    operator.choose("Times are of", "the claim");
    operator.click("Search");
    operator.sees("ends-later");
    assertThat(operator.text()).doesNotContain("counted");
    operator.open("/");
    new Actions(operator.browser().driver())
        .moveToElement(
            operator.browser().driver().findElement(By.cssSelector("millrace-chart .u-over")))
        .click()
        .perform();
    operator.sees("What happened?");
    assertThat(query(operator)).containsKeys("from", "to");
  }
}
