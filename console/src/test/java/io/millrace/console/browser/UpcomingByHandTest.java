package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is planned, seen as an operator sees it. */
@InBrowser
class UpcomingByHandTest {
  private static final String LIST = "table tbody tr";

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  private static long number(Operator operator, String expression) {
    return ((Number) Objects.requireNonNull(operator.script("return " + expression))).longValue();
  }

  @Test
  void jobWithMoreFireTimesThanAreDrawnIsSeenToGoOn(Operator operator, ConsoleScene scene) {
    scene.client().submit(Job.builder("ticks", "metronome").every(Duration.ofSeconds(2)).build());
    scene
        .client()
        .submit(
            Job.builder("ticks", "single").at(Instant.now().plus(Duration.ofMinutes(9))).build());
    operator.open("/upcoming?group=ticks");

    operator.sees("the job goes on to the end of the period");
    assertThat(operator.row("metronome")).contains("and so on");
    assertThat(operator.row("single")).doesNotContain("and so on");
    assertThat(
            operator.script("return document.querySelector('.goes-on + text').textContent.trim()"))
        .isEqualTo("\u2026");
    assertThat(number(operator, "document.querySelector('.goes-on').getBoundingClientRect().width"))
        .isGreaterThan(400);
    assertThat(operator.text()).contains("Runs per minute", "30 or more, at");
    assertThat(Accessibility.barriers(operator)).isEmpty();
    scene.client().cancel("ticks", "metronome");
  }

  @Test
  void manyJobsAreReadPageByPageAndFoundByName(Operator operator, ConsoleScene scene) {
    List<Job> crowd = new ArrayList<>();
    Instant at = Instant.now().plus(Duration.ofMinutes(20));
    for (int i = 1; i <= 120; i++) {
      crowd.add(Job.builder("crowd", "member-%03d".formatted(i)).at(at.plusSeconds(2 * i)).build());
    }
    scene.client().submitAll(crowd);
    operator.open("/upcoming?group=crowd");

    operator.sees("1 to 50 of 120 jobs");
    assertThat(operator.texts(LIST)).hasSize(50);
    assertThat(number(operator, "document.querySelectorAll('.timeline circle').length"))
        .isEqualTo(50);
    operator.click("Next page");
    operator.sees("51 to 100 of 120 jobs");
    operator.click("Next page");
    operator.sees("101 to 120 of 120 jobs");
    operator.click("Previous page");
    operator.sees("51 to 100 of 120 jobs");
    operator.click("To the beginning");
    operator.sees("1 to 50 of 120 jobs");
    assertThat(operator.canClick("Previous page")).isFalse();
    operator.click("Next page");
    operator.click("Next page");
    operator.sees("101 to 120 of 120 jobs");
    assertThat(operator.texts(LIST)).hasSize(20);
    assertThat(operator.row("member-120")).contains("crowd");

    operator.type("Name contains", "-120");
    operator.click("Search");
    operator.sees("1 job");
    assertThat(operator.texts(LIST)).hasSize(1);
    assertThat(operator.row("member-120")).contains("crowd");
    operator.type("Name contains", "nobody");
    operator.click("Search");
    operator.sees("No job whose name contains \u201cnobody\u201d is planned");
    crowd.forEach(job -> scene.client().cancel("crowd", job.taskId()));
  }
}
