package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.console.api.history.LogRoutes.LogPage;
import io.millrace.internal.model.LogLevel;
import io.millrace.internal.protocol.LogLine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs that are longer than what is shown of them, and logs that are followed. */
@InBrowser
class LogsByHandTest {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final String LINES = "#log .line > span:last-child";

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  /** An execution that ended a while ago, whose log has this many lines. */
  private static String ended(ConsoleScene scene, String task, int lines) {
    scene.client().submit(Job.builder("reports", task).handler("render").build());
    String id = scene.endOf("reports", task).id();
    scene
        .console()
        .database()
        .execute("UPDATE jt_history SET finished_at = finished_at - 60000 WHERE id = " + id);
    await("the line of the runner")
        .atMost(PATIENCE)
        .until(() -> !scene.get("/executions/" + id + "/log", LogPage.class).items().isEmpty());
    scene
        .console()
        .database()
        .execute(
            """
            INSERT INTO jt_job_log
            SELECT %s, x, 0, 'INFO', CONCAT('row ', x, ' is done') FROM SYSTEM_RANGE(2, %d)\
            """
                .formatted(id, lines));
    return id;
  }

  /** Writes a line in the place of another one. */
  private static void put(
      ConsoleScene scene, String id, int sequence, LogLevel level, String text) {
    scene
        .console()
        .database()
        .execute(
            "DELETE FROM jt_job_log WHERE execution_id = %s AND sequence_no = %d"
                .formatted(id, sequence));
    scene
        .console()
        .database()
        .stores()
        .jobLog()
        .append(List.of(new LogLine(Long.parseLong(id), sequence, Instant.EPOCH, level, text)));
  }

  private static long number(Operator operator, String script) {
    return ((Number) Objects.requireNonNull(operator.script("return Math.round(" + script + ")")))
        .longValue();
  }

  private static List<String> shown(Operator operator) {
    return operator.texts(LINES);
  }

  @Test
  void endOfALongLogIsShownFirstAndEarlierLinesWhenSomebodyScrollsBack(
      Operator operator, ConsoleScene scene) {
    operator.open("/executions/" + ended(scene, "long-log", 1_300));

    operator.sees("the last 500 lines (more before)");
    assertThat(operator.text()).doesNotContain("complete").doesNotContain("row 800 is done");
    assertThat(shown(operator)).hasSize(500).endsWith("row 1300 is done");
    await("the end")
        .atMost(PATIENCE)
        .until(() -> number(operator, "log.scrollHeight - log.scrollTop - log.clientHeight") < 2);

    operator.script("log.scrollTop = 0");
    operator.sees("the last 1,000 lines (more before)");
    operator.settle();
    assertThat(shown(operator)).hasSize(1_000).startsWith("row 301 is done");
    assertThat(
            number(
                operator,
                "document.querySelectorAll('#log .line')[500].getBoundingClientRect().top"
                    + " - log.getBoundingClientRect().top"))
        .as("where the line stands that was the first")
        .isBetween(-2L, 30L);

    operator.click("Earlier lines");
    operator.sees("complete, 1,300 lines");
    assertThat(shown(operator)).startsWith("done with {}", "row 2 is done").hasSize(1_300);
    assertThat(operator.canClick("Earlier lines")).isFalse();
    assertThat(operator.focus()).isEqualTo("Log");
  }

  @Test
  void veryLongLogIsReadInBothDirectionsWithoutHoldingAllOfIt(
      Operator operator, ConsoleScene scene) {
    operator.open("/executions/" + ended(scene, "longer-log", 2_700));
    operator.sees("the last 500 lines (more before)");
    for (String shown : List.of("1,000", "1,500", "2,000")) {
      operator.click("Earlier lines");
      operator.sees("the last " + shown + " lines (more before)");
    }

    operator.click("Earlier lines");
    operator.sees("2,000 lines from the middle");
    operator.click("Earlier lines");
    operator.sees("the first 2,000 lines (more follow)");
    assertThat(shown(operator)).startsWith("done with {}").endsWith("row 2000 is done");

    operator.click("Later lines");
    operator.sees("2,000 lines from the middle");
    assertThat(shown(operator)).startsWith("row 501 is done").endsWith("row 2500 is done");
    operator.click("Later lines");
    operator.sees("the last 2,000 lines (more before)");
    assertThat(shown(operator)).startsWith("row 701 is done").endsWith("row 2700 is done");
    assertThat(operator.canClick("Later lines")).isFalse();

    operator.click("Earlier lines");
    operator.sees("2,000 lines from the middle");
    operator.click("Go to the end");
    operator.sees("the last 500 lines (more before)");
    assertThat(shown(operator)).hasSize(500).endsWith("row 2700 is done");
  }

  @Test
  void linesThatAreNotLoadedAreFoundByLevelAndByText(Operator operator, ConsoleScene scene) {
    String id = ended(scene, "searched-log", 1_300);
    put(scene, id, 7, LogLevel.WARN, "The disk is 90% full");
    put(scene, id, 9, LogLevel.ERROR, "The disk is full");
    operator.open("/executions/" + id);
    operator.sees("the last 500 lines (more before)");

    operator.choose("Lowest level shown", "ERROR and above");
    operator.sees("1 line matches");
    assertThat(shown(operator)).containsExactly("The disk is full");
    operator.choose("Lowest level shown", "All levels");
    operator.sees("the last 500 lines (more before)");

    operator.type("Search the log", "the DISK");
    operator.sees("2 lines match");
    assertThat(shown(operator)).containsExactly("The disk is 90% full", "The disk is full");
    operator.choose("Lowest level shown", "ERROR and above");
    operator.sees("1 line matches");
    operator.choose("Lowest level shown", "WARN and above");
    operator.type("Search the log", "0%");
    operator.seesNoMore("The disk is full");
    assertThat(shown(operator)).containsExactly("The disk is 90% full");
    operator.type("Search the log", "9_%");
    operator.sees("No line matches.");
  }

  @Test
  void searchOfAHugeLogSaysThatItHasNotSeenAll(Operator operator, ConsoleScene scene) {
    String id = ended(scene, "huge-log", 100_050);
    put(scene, id, 20, LogLevel.INFO, "the needle");
    operator.open("/executions/" + id);
    operator.sees("the last 500 lines (more before)");

    operator.type("Search the log", "needle");
    operator.sees("No line matches so far.");
    assertThat(operator.text()).doesNotContain("complete");
    operator.click("Search earlier lines");
    operator.sees("1 line matches");
    assertThat(shown(operator)).containsExactly("the needle");
  }

  @Test
  void wholeLogIsDownloaded(Operator operator, ConsoleScene scene, @TempDir Path folder)
      throws Exception {
    String id = ended(scene, "kept-log", 1_300);
    operator
        .browser()
        .devTools(
            "Browser.setDownloadBehavior",
            Map.of("behavior", "allow", "downloadPath", folder.toString()));
    operator.open("/executions/" + id);
    operator.sees("the last 500 lines (more before)");

    operator.click("Download");

    Path file = folder.resolve("execution-" + id + ".log");
    await("the file").atMost(PATIENCE).until(() -> Files.exists(file));
    await("its end").atMost(PATIENCE).until(() -> Files.readAllLines(file).size() == 1_300);
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    assertThat(lines.get(0)).endsWith("  INFO   done with {}");
    assertThat(lines.get(1_299)).isEqualTo("1970-01-01T00:00:00.000Z  INFO   row 1300 is done");
  }

  @Test
  void newLinesOfAFollowedLogAreFilteredToo(Operator operator, ConsoleScene scene) {
    scene.client().submit(SceneJobs.running("followed"));
    operator.open("/executions/" + scene.executionOf("reports", "followed"));
    operator.sees("import of catalogue-2026.csv begins");
    operator.sees("live, 1 line");

    operator.type("Search the log", "price");
    operator.sees("No line matches.");
    scene.workers().tell("followed", "a row without a Price");
    scene.workers().tell("followed", "a row without a name");
    scene.workers().tell("followed", "!a PRICE below zero");
    operator.sees("live, 2 lines match");
    assertThat(shown(operator)).containsExactly("a row without a Price", "a PRICE below zero");

    operator.type("Search the log", " ");
    operator.sees("live, 4 lines");
    scene.workers().tell("followed", SceneWorkers.END);
    operator.sees("complete, 4 lines");
  }

  private static void hide(Operator operator, boolean isHidden) {
    operator.script(
        """
        Object.defineProperty(document, 'hidden', { configurable: true, value: arguments[0] });
        document.dispatchEvent(new Event('visibilitychange'));\
        """,
        isHidden);
  }

  private static String streams(Operator operator) {
    return String.valueOf(
        operator.script(
            "return streams.map(({ url, readyState }) =>"
                + " `${url.replace(/^.*\\?/, '')} ${readyState}`).join(', ')"));
  }

  @Test
  void hiddenTabGivesItsStreamUpAndGoesOnBehindTheLastLine(Operator operator, ConsoleScene scene) {
    operator.script(
        """
        window.streams = [];
        window.EventSource = class extends EventSource {
          constructor(url) {
            super(url);
            streams.push(this);
          }
        };\
        """);
    scene.client().submit(SceneJobs.running("hidden"));
    operator.open("/executions/" + scene.executionOf("reports", "hidden"));
    scene.workers().tell("hidden", "seen");
    operator.sees("live, 2 lines");
    assertThat(streams(operator)).endsWith(" 1");

    hide(operator, true);
    assertThat(streams(operator)).doesNotContain(",").endsWith(" 2");
    scene.workers().tell("hidden", "while the tab is hidden");
    hide(operator, false);

    operator.sees("while the tab is hidden");
    operator.sees("live, 3 lines");
    assertThat(streams(operator)).endsWith(", after=2 1");
    scene.workers().tell("hidden", SceneWorkers.END);
    operator.sees("complete, 3 lines");
    hide(operator, true);
    hide(operator, false);
    assertThat(streams(operator)).as("it is over").endsWith(", after=2 2");
  }
}
