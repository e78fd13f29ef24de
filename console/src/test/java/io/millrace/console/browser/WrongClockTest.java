package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A browser whose clock is an hour ahead: ages and countdowns are by the tracker's. */
@InBrowser
class WrongClockTest {
  private static final ZoneId SHANGHAI = ZoneId.of("Asia/Shanghai");
  private static final String AN_HOUR_AHEAD =
      """
      const Right = Date;
      const AHEAD = 3_600_000;
      globalThis.Date = class extends Right {
        constructor(...given) {
          super(...(given.length > 0 ? given : [Right.now() + AHEAD]));
        }
        static now() {
          return Right.now() + AHEAD;
        }
      };
      """;

  private String script = "";

  private void setClockAhead(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
    script =
        String.valueOf(
            operator
                .browser()
                .devTools("Page.addScriptToEvaluateOnNewDocument", Map.of("source", AN_HOUR_AHEAD))
                .get("identifier"));
    operator.reload();
    double ahead =
        ((Number) Objects.requireNonNull(operator.script("return Date.now()"))).doubleValue()
            - System.currentTimeMillis();
    assertThat(ahead).isBetween(3_500_000.0, 3_700_000.0);
  }

  @AfterEach
  void setClockRight(Operator operator) {
    if (!script.isEmpty()) {
      operator
          .browser()
          .devTools("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", script));
      operator.reload();
    }
  }

  @Test
  void agesAndCountdownsAreByTheClockOfTheTracker(Operator operator, ConsoleScene scene) {
    Instant soon = Instant.now().plus(Duration.ofMinutes(30));
    scene
        .client()
        .submit(Job.builder("orders", "soon").every(Duration.ofHours(6)).at(soon).build());
    scene.client().submit(SceneJobs.running("just-begun"));
    scene.executionOf("reports", "just-begun");
    setClockAhead(operator, scene);

    operator.open("/running?task=just-begun&group=reports");
    assertThat(operator.row("just-begun")).doesNotContain(" h ").containsPattern(" [\\d.]+ m?s ");
    operator.open("/jobs?contains=soon");
    assertThat(operator.row("soon")).contains("in 29 min").doesNotContain("ago");
    operator.open("/late");
    assertThat(operator.texts("td")).isNotEmpty().noneMatch(cell -> cell.startsWith("1 h"));
    operator.open("/workers");
    assertThat(operator.row("reports-1")).contains("ago").doesNotContain(" h ");
    assertThat(secondsOff(operator.texts("header.page .as-of").get(0))).isLessThan(60);

    operator.sees("This browser’s clock is");
    assertThat(operator.texts(".warnings p")).singleElement().asString().contains("ahead");
    scene.workers().tell("just-begun", SceneWorkers.END);
  }

  /** How far a time such as "as of 15:20:07 · times in UTC" is from now, on any day. */
  private static long secondsOff(String asOf) {
    int begin = "as of ".length();
    LocalTime shown = LocalTime.parse(asOf.substring(begin, begin + "15:20:07".length()));
    long off = Math.abs(Duration.between(shown, LocalTime.now(SHANGHAI)).toSeconds());
    return Math.min(off, Duration.ofDays(1).toSeconds() - off);
  }

  @Test
  void clocksThatAgreeAreNotWarnedOf(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
    operator.open("/jobs");

    assertThat(operator.texts(".warnings p")).isEmpty();
  }
}
