package io.millrace.console.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.console.api.history.HistoryRoutes.HistoryPage;
import io.millrace.console.api.job.JobDetail;
import io.millrace.console.api.job.JobSettings;
import io.millrace.console.api.operator.AuditRoutes.AuditPage;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** A job is taken as it is: to run it once more, to submit another one like it, to a shell. */
@InBrowser
class CopyByHandTest {
  private static final ZoneId SHANGHAI = ZoneId.of("Asia/Shanghai");
  private static final String VALUE =
      "it's \"quoted\"\r\n\tsecond $HOME `id` \\ !x 50% 中文 é \u2028 end ";
  private static final Map<String, String> AWKWARD =
      Map.of("script", VALUE, "-dash", "", "@at", "@/etc/passwd");
  private static final Instant UNTIL = Instant.parse("2040-01-01T00:00:00.123Z");

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  private static Job.Builder yearly(String task) {
    return Job.builder("orders", task).cron("0 0 5 1 1 ?", SHANGHAI);
  }

  private static JobDetail job(ConsoleScene scene, String task) {
    return scene.get("/jobs/orders/" + task, JobDetail.class);
  }

  private static String sentToRun(ConsoleScene scene, String task) {
    return String.valueOf(
        scene.get("/audit?action=runJob", AuditPage.class).items().stream()
            .filter(entry -> entry.target().contains("/" + task + "/"))
            .findFirst()
            .orElseThrow()
            .detail());
  }

  @Test
  void runBeginsWithTheParametersOfTheJob(Operator operator, ConsoleScene scene) {
    scene.client().submit(yearly("run-as-is").params(AWKWARD).build());
    operator.open("/jobs/orders/run-as-is");
    operator.click("Run now");
    operator.isAsked("Run orders/run-as-is once more, now?");
    assertThat(operator.holds("Parameters of this run")).contains("second $HOME", "中文 é");
    operator.click("Run now");
    operator.sees("An extra run of orders/run-as-is was requested.");

    assertThat(sentToRun(scene, "run-as-is")).isEqualTo("{}");
    assertThat(scene.endOf("orders", "run-as-is").message()).contains(VALUE);
  }

  @Test
  void runWithoutAnyParameterIsOneToo(Operator operator, ConsoleScene scene) {
    scene.client().submit(yearly("run-bare").param("day", "today").build());
    operator.open("/jobs?contains=run-bare");
    operator.click("run-bare");
    operator.click("Run now");
    operator.isAsked("Run orders/run-bare once more, now?");
    assertThat(operator.holds("Parameters of this run")).isEqualTo("day=today");
    operator.type("Parameters of this run", "");
    operator.click("Run now");
    operator.sees("An extra run of orders/run-bare was requested.");

    assertThat(sentToRun(scene, "run-bare")).isEqualTo("{\"params\":{}}");
    assertThat(scene.endOf("orders", "run-bare").message()).isEqualTo("{}");
    assertThat(scene.get("/history?group=orders&task=run-bare", HistoryPage.class).items())
        .hasSize(1);
  }

  private static Job.Builder everything(String task) {
    return yearly(task)
        .params(AWKWARD)
        .until(UNTIL)
        .handler("import")
        .priority(7)
        .retry(RetryPolicy.retries(4).withDelays(Duration.ofMillis(1_250), Duration.ofHours(2)))
        .timeout(Duration.ofMillis(90_500))
        .overlap(OverlapPolicy.queue(3))
        .misfire(MisfirePolicy.all().within(Duration.ofMinutes(7)).atMost(9).alsoAfterPause())
        .stickTo("a key");
  }

  @Test
  void duplicateHasTheWholeDefinition(Operator operator, ConsoleScene scene) {
    scene.client().submit(everything("original").build());
    operator.open("/jobs/orders/original");
    operator.click("Duplicate");
    operator.sees("Duplicate original");
    assertThat(operator.holds("Name")).isEqualTo("original-copy");
    operator.type("Name", "twin");
    operator.type("Priority", "8");
    operator.click("Submit");
    operator.sees("orders/twin is accepted.");
    assertThat(operator.heading()).isEqualTo("twin");

    JobSettings before = job(scene, "original").settings();
    JobDetail twin = job(scene, "twin");
    assertThat(twin.schedule()).isEqualTo(job(scene, "original").schedule());
    assertThat(twin.schedule().until()).isEqualTo(UNTIL);
    assertThat(twin.settings().priority()).isEqualTo(8);
    assertThat(twin.settings())
        .usingRecursiveComparison()
        .ignoringFields("priority")
        .isEqualTo(before);
    assertThat(before.priority()).isEqualTo(7);
  }

  /** What a shell makes of the text: the words that the program of this name is given. */
  private static List<String> wordsOf(String program, String text) throws Exception {
    ProcessBuilder shell = new ProcessBuilder("sh").redirectErrorStream(true);
    shell.environment().put("MILLRACE_OPERATOR_TOKEN", "mrt_of-the-environment");
    Process running = shell.start();
    try (OutputStream script = running.getOutputStream()) {
      script.write((program + "() { printf '%s\\0' \"$@\"; }\n" + text + "\n").getBytes(UTF_8));
    }
    String said = read(running);
    assertThat(running.waitFor()).as(said).isZero();
    return List.of(said.split("\0", -1)).subList(0, said.split("\0", -1).length - 1);
  }

  private static String read(Process running) throws IOException {
    return new String(running.getInputStream().readAllBytes(), UTF_8);
  }

  /** Encoded on its way, which makes other line breaks of some. */
  private static String shown(Operator operator, String id) {
    String script = "return encodeURIComponent(document.getElementById(arguments[0]).textContent)";
    return URLDecoder.decode(
        String.valueOf(Objects.requireNonNull(operator.script(script, id))), UTF_8);
  }

  @Test
  void commandSaysTheWholeJob(Operator operator, ConsoleScene scene) throws Exception {
    scene.client().submit(everything("to-say").build());
    operator.open("/jobs/orders/to-say");
    operator.click("Copy as command");
    operator.isAsked("orders/to-say on the command line");
    operator.isAsked("no option for retry.firstDelay, retry.maxDelay;");

    assertThat(wordsOf("millrace", shown(operator, "copy-submit")))
        .containsExactly(
            "submit",
            "--url=" + scene.url(),
            "--cron=0 0 5 1 1 ?",
            "--zone=Asia/Shanghai",
            "--until=" + UNTIL,
            "--handler=import",
            "--priority=7",
            "--retry=4",
            "--timeout=PT1M30.5S",
            "--overlap=queue:3",
            "--misfire=all,window=PT7M,cap=9,after-pause",
            "--stick-to=a key",
            "--param=-dash=",
            "--param=@at=@/etc/passwd",
            "--param=script=" + VALUE,
            "--",
            "orders",
            "to-say");
    assertThat(wordsOf("millrace", shown(operator, "copy-run")))
        .startsWith("run", "--url=" + scene.url(), "--param=-dash=")
        .endsWith("--param=script=" + VALUE, "--", "orders", "to-say");
    assertThat(operator.dialog()).doesNotContain("mrt_");
  }

  @Test
  void textIsCopiedOrElseSelected(Operator operator, ConsoleScene scene) {
    operator.open("/jobs/orders/sync-stock");
    operator.click("Copy as curl");
    String run = shown(operator, "copy-run");
    operator.script("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
    operator.click("Copy: Run it now, with these parameters");
    operator.isAsked("Copied.");
    assertThat(operator.script("return window.copied")).isEqualTo(run);

    operator.script("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))");
    operator.click("Copy: Run it now, with these parameters");
    operator.isAsked("copy it with Ctrl+C.");
    assertThat(operator.script("return String(getSelection())")).isEqualTo(run);
    assertThat(Accessibility.barriers(operator)).isEmpty();
    operator.press(Keys.ESCAPE);
    operator.reload();
  }

  @Test
  void curlSubmitsAndRunsTheSameJob(Operator operator, ConsoleScene scene) throws Exception {
    String task = "o'brien & sons/任务";
    scene.client().submit(everything(task).build());
    operator.open("/jobs?contains=brien");
    operator.click(task);
    operator.click("Copy as curl");
    operator.isAsked("orders/" + task + " with curl");
    String submit = shown(operator, "copy-submit");
    String run = shown(operator, "copy-run");
    operator.press(Keys.ESCAPE);
    assertThat(submit + run).contains("$MILLRACE_OPERATOR_TOKEN").doesNotContain("mrt_");

    List<String> words = wordsOf("curl", submit);
    assertThat(words)
        .containsSequence("-X", "POST", scene.url() + "/api/v1/jobs")
        .contains("Authorization: Bearer mrt_of-the-environment", "Content-Type: application/json");
    String body = words.get(words.size() - 1);
    assertThat(body).startsWith("{\"nodeGroup\":\"orders\"");
    String twin = body.replace(task, "of-curl");
    scene.as(scene.alice(), "POST", "/jobs", twin);
    assertThat(job(scene, "of-curl").settings().params()).isEqualTo(AWKWARD);
    assertThat(job(scene, "of-curl").settings().retry().maxDelay()).isEqualTo(Duration.ofHours(2));

    List<String> toRun = wordsOf("curl", run);
    assertThat(toRun.get(3)).startsWith(scene.url() + "/api/v1/");
    String path = toRun.get(3).substring((scene.url() + "/api/v1").length());
    scene.as(scene.alice(), "POST", path, toRun.get(toRun.size() - 1));
  }
}
