package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.console.RunningConsole;
import io.millrace.console.api.dead.DeadRoutes.DeadPage;
import io.millrace.console.api.fleet.WorkerRoutes.WorkerPage;
import io.millrace.console.api.history.ExecutionRoutes.ExecutionPage;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/**
 * Text that would be a script if a page took it for markup, put wherever text can be put: by
 * applications and workers into all that pages show, and by hand into every field that there is.
 */
@InBrowser
class ProbingTest {
  static final String PROBE =
      "\"><img src=x onerror=\"window.xss=1\"><script>window.xss=1</script>";

  /** The same without a blank, which ids of nodes do not have. */
  private static final String NODE =
      "\"><img/src=\"x\"/onerror=\"window.xss=1\"><script>window.xss=1</script>";

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String GROUP = "probed";
  private static final String RUNS = PROBE + " runs";
  private static final String DIES = PROBE + " dies";

  private static final CountDownLatch END = new CountDownLatch(1);
  private static RunningConsole console;
  private static TaskTracker worker;
  private static JobClient client;
  private static Map<String, String> pages;

  @BeforeAll
  static void putItEverywhere() throws Exception {
    console = RunningConsole.over(TestDatabase.h2());
    String tracker = console.tracker().address();
    worker =
        TaskTracker.builder()
            .trackers(tracker)
            .nodeGroup(GROUP)
            .id(NODE)
            .slots(2)
            .shutdownGrace(Duration.ofMillis(50))
            .handler(PROBE, ProbingTest::run)
            .handler("other", context -> Result.success(PROBE))
            .build();
    worker.start();
    client = JobClient.builder().trackers(tracker).id(NODE).build();
    client.submit(probed(PROBE).cron("0 0 5 1 1 ?").build());
    client.submit(probed(RUNS).timeout(Duration.ofHours(1)).build());
    client.submit(probed(DIES).retry(0).build());
    client.submit(probed(PROBE + " soon").after(Duration.ofMinutes(10)).build());
    client.submit(Job.builder(GROUP, PROBE + " done").handler("other").build());
    client.pause(GROUP, PROBE, PROBE);
    console
        .ask("POST", "/api/v1/tokens")
        .json("{\"name\":" + json(PROBE) + ",\"role\":\"VIEW\"}")
        .send();
    pages = pages();
  }

  private static Job.Builder probed(String task) {
    return Job.builder(GROUP, task).handler(PROBE).param(PROBE, PROBE);
  }

  private static Result run(JobContext context) throws InterruptedException {
    context.logger().info(PROBE);
    context.logger().error(PROBE, new IllegalStateException(PROBE));
    if (context.taskId().equals(RUNS)) {
      END.await();
    }
    throw new IllegalStateException(PROBE);
  }

  private static String json(String text) {
    return '"' + text.replace("\"", "\\\"") + '"';
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static <T> T get(String path, Class<T> type) throws Exception {
    return console.ask("GET", "/api/v1" + path).send().as(type);
  }

  /** Those with something in the address are there with the probe in it, too. */
  private static Map<String, String> pages() {
    String execution =
        await()
            .atMost(PATIENCE)
            .until(() -> get("/executions", ExecutionPage.class).items(), rows -> !rows.isEmpty())
            .get(0)
            .id();
    String dead =
        await()
            .atMost(PATIENCE)
            .until(() -> get("/dead", DeadPage.class).items(), rows -> !rows.isEmpty())
            .get(0)
            .id();
    await()
        .atMost(PATIENCE)
        .until(() -> get("/workers", WorkerPage.class).items(), rows -> !rows.isEmpty());
    String probe = encoded(PROBE);
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("overview", "/");
    pages.put("late", "/late");
    pages.put("running", "/running");
    pages.put("upcoming", "/upcoming");
    pages.put("jobs", "/jobs");
    pages.put("job", "/jobs/" + GROUP + "/" + probe);
    pages.put("edit", "/jobs/" + GROUP + "/" + probe + "/edit");
    pages.put("submit", "/submit");
    pages.put("execution", "/executions/" + execution);
    pages.put("ended execution", "/executions/" + dead);
    pages.put("history", "/history");
    pages.put("dead", "/dead");
    pages.put("dead-trigger", "/dead/" + dead);
    pages.put("groups", "/groups");
    pages.put("workers", "/workers");
    pages.put("worker", "/workers/" + encoded(NODE));
    pages.put("audit", "/audit");
    pages.put("tokens", "/tokens");
    pages.put("search for it", "/jobs?contains=" + probe + "&group=" + probe);
    pages.put("history of it", "/history?group=" + probe + "&task=" + probe);
    pages.put("unknown job", "/jobs/" + probe + "/" + probe);
    pages.put("unknown execution", "/executions/" + probe);
    pages.put("unknown page", "/" + probe);
    return pages;
  }

  @AfterAll
  static void close() {
    END.countDown();
    client.close();
    worker.closeAsync();
    console.close();
  }

  @BeforeEach
  void signIn(Operator operator) {
    String url = console.url();
    if (!operator.isAt(url)) {
      operator.visit(url);
      operator.signIn(console.adminToken());
    }
  }

  private static void isHarmless(String where, Operator operator) {
    assertThat(operator.script("return window.xss")).as("a script that ran, %s", where).isNull();
    assertThat(operator.script("return document.querySelectorAll('img[src=x]').length"))
        .as("elements of the probe, %s", where)
        .isEqualTo(0L);
    assertThat(operator.browser().complaints()).as(where).isEmpty();
  }

  @Test
  void whatIsShownIsTextAndNothingElse(Operator operator) {
    List<String> thatShowIt =
        List.of(
            "running",
            "upcoming",
            "jobs",
            "job",
            "execution",
            "ended execution",
            "history",
            "dead",
            "dead-trigger",
            "workers",
            "worker",
            "audit",
            "overview");
    pages.forEach(
        (name, address) -> {
          operator.open(address);
          operator.script(
              "document.querySelectorAll('details').forEach((each) => (each.open = true))");
          isHarmless(name, operator);
          if (thatShowIt.contains(name)) {
            assertThat(operator.text())
                .as("what is seen of it on %s", name)
                .containsAnyOf(PROBE, NODE);
          }
        });
  }

  @Test
  void whatIsTypedIntoAnyFieldIsTextAndNothingElse(Operator operator) {
    int typed = 0;
    for (Map.Entry<String, String> page : pages.entrySet()) {
      operator.open(page.getValue());
      List<WebElement> fields = operator.textFields();
      for (WebElement field : fields) {
        field.sendKeys(Keys.chord(Keys.CONTROL, "a"), PROBE);
      }
      typed += fields.size();
      isHarmless("typed on " + page.getKey(), operator);
      operator.submitForms();
      isHarmless("sent from " + page.getKey(), operator);
      leave(operator);
    }
    assertThat(typed).as("fields that were found").isGreaterThanOrEqualTo(25);
  }

  /** Also with what was typed into a form and not sent. */
  private static void leave(Operator operator) {
    operator.open("/not-probed");
    if (!operator.dialog().isEmpty()) {
      operator.click("Leave");
      operator.settle();
    }
  }

  @Test
  void whatIsTypedIntoAnyDialogIsTextAndNothingElse(Operator operator) {
    int asked = 0;
    for (Map.Entry<String, String> page : pages.entrySet()) {
      operator.open(page.getValue());
      for (String button : operator.texts("main .actions button, main form.replay button")) {
        operator.open(page.getValue());
        if (!operator.clickFirst(button)) {
          continue;
        }
        operator.settle();
        if (!operator.dialog().isEmpty()) {
          asked++;
          isHarmless(button + " asks on " + page.getKey(), operator);
          List<WebElement> fields = operator.textFields();
          fields.forEach(field -> field.sendKeys(PROBE));
          operator.press(fields.isEmpty() ? Keys.ESCAPE : Keys.chord(Keys.CONTROL, "a"));
          if (!fields.isEmpty()) {
            operator.submitForms();
          }
        }
        isHarmless(button + " on " + page.getKey(), operator);
      }
    }
    assertThat(asked).as("dialogs that were seen").isGreaterThanOrEqualTo(8);
  }
}
