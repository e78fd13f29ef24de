package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.RunningConsole.Answered;
import io.millrace.console.api.job.JobCondition;
import io.millrace.console.api.job.JobDetail;
import io.millrace.console.http.Problem;
import io.millrace.jobtracker.store.TestDatabase;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is shown can be put back; what was shown before another change cannot. */
class EditRoutesTest {
  private static RunningConsole console;

  @BeforeAll
  static void open() {
    console = RunningConsole.over(TestDatabase.h2());
  }

  @AfterAll
  static void close() {
    console.close();
  }

  private static void submit(String task, String rest) throws Exception {
    String key = "{\"nodeGroup\":\"orders\",\"taskId\":\"" + task + "\",";
    Answered answered = console.ask("POST", "/api/v1/jobs").json(key + rest + "}").send();
    assertThat(answered.status()).as(answered.body()).isEqualTo(201);
  }

  private static Answered get(String task) throws Exception {
    return console.ask("GET", "/api/v1/jobs/orders/" + task).send();
  }

  private static JobDetail job(String task) throws Exception {
    return get(task).as(JobDetail.class);
  }

  private static Answered put(String task, @Nullable String tag, String body) throws Exception {
    RunningConsole.Asked asked = console.ask("PUT", "/api/v1/jobs/orders/" + task);
    return (tag == null ? asked : asked.header("If-Match", tag)).json(body).send();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'schedule':{'cron':'0 0 3 * *"
            + " ?','zone':'Asia/Shanghai','until':'2040-01-01T00:00:00.123Z'}",
        "'schedule':{'every':'PT6H','at':'2030-01-01T00:00:00.007Z','times':9}",
        "'schedule':{'fixedDelay':'PT0.25S'},'relyOnPrevCycle':false",
        "'schedule':{'at':'2030-01-01T00:00:00.123Z'},'priority':3",
        "'schedule':{'at':'2030-01-01T00:00:00.123Z'},'shards':8",
        "'schedule':{'every':'PT6H'},'shards':1000,'on':['gpu','eu'],'stickTo':'customer-7'",
        "'schedule':{'every':'PT6H'},'reduce':'sum','onPartFailure':'IGNORE','within':'PT2H'",
        "'schedule':{'at':'2030-01-01T00:00:00.123Z'},'reduce':'sum','on':['gpu']",
        "'schedule':{'every':'PT6H'},'broadcast':true,'onWorkerLost':'DEAD','reduce':'sum'",
        "'schedule':{'at':'2030-01-01T00:00:00.123Z'},'broadcast':true,'on':['gpu']",
        "'schedule':{'every':'PT6H'},'overlap':{'kind':'QUEUE','limit':3},'misfire':{'kind':'ALL'}"
      })
  void whatIsShownIsPutBackAndNothingChanges(String job) throws Exception {
    String task = "same-" + Math.abs(job.hashCode());
    submit(
        task,
        job.replace('\'', '"')
            + ",\"params\":{\"script\":\"x\\n"
            + "a=1 \",\"empty\":\"\",\"a=b\":\"c\"},\"timeout\":\"PT1M\"");
    JobDetail before = job(task);
    Answered shown = get(task);

    Answered answered = put(task, shown.tag(), shown.body());

    assertThat(answered.status()).as(answered.body()).isEqualTo(200);
    JobDetail after = job(task);
    assertThat(after.schedule()).isEqualTo(before.schedule());
    assertThat(after.settings().params())
        .isEqualTo(before.settings().params())
        .containsEntry("script", "x\na=1 ");
    assertThat(after.settings().retry()).isEqualTo(before.settings().retry());
    assertThat(after.settings().timeout()).isEqualTo(before.settings().timeout());
    assertThat(after.settings().overlap()).isEqualTo(before.settings().overlap());
    assertThat(after.settings().misfire()).isEqualTo(before.settings().misfire());
    assertThat(after.settings().priority()).isEqualTo(before.settings().priority());
    assertThat(after.settings().shards()).isEqualTo(before.settings().shards());
    assertThat(after.settings().broadcast()).isEqualTo(before.settings().broadcast());
    assertThat(after.settings().onWorkerLost()).isEqualTo(before.settings().onWorkerLost());
    assertThat(after.settings().reduce()).isEqualTo(before.settings().reduce());
    assertThat(after.settings().onPartFailure()).isEqualTo(before.settings().onPartFailure());
    assertThat(after.settings().within()).isEqualTo(before.settings().within());
    assertThat(after.settings().on()).isEqualTo(before.settings().on());
    assertThat(after.settings().stickTo()).isEqualTo(before.settings().stickTo());
    assertThat(after.progress().nextFireAt()).isEqualTo(before.progress().nextFireAt());
  }

  @Test
  void labelsThatNoWorkerHasAreNamedAndAnEditChangesThem() throws Exception {
    submit("draw", "\"schedule\":{\"every\":\"PT6H\"},\"on\":[\"gpu\",\"eu\"]");
    assertThat(job("draw").settings().on()).containsExactly("eu", "gpu");
    assertThat(job("draw").labelsNobodyHas()).containsExactly("eu", "gpu");

    Answered edited = put("draw", null, "{\"schedule\":{\"every\":\"PT6H\"}}");

    assertThat(edited.status()).as(edited.body()).isEqualTo(200);
    assertThat(job("draw").settings().on()).isEmpty();
    assertThat(job("draw").labelsNobodyHas()).isEmpty();
  }

  @Test
  void editFromAnOlderVersionIsRefusedWithWhatHasChangedSince() throws Exception {
    submit("lost", "\"schedule\":{\"every\":\"PT6H\"},\"priority\":7");
    Answered seen = get("lost");
    Answered first = put("lost", seen.tag(), "{\"schedule\":{\"every\":\"PT5H\"},\"priority\":7}");
    assertThat(first.status()).as(first.body()).isEqualTo(200);

    Answered second = put("lost", seen.tag(), "{\"schedule\":{\"every\":\"PT6H\"},\"priority\":9}");

    assertThat(second.status()).isEqualTo(412);
    assertThat(second.mediaType()).startsWith(Problem.MEDIA_TYPE);
    Problem problem = second.as(Problem.class);
    assertThat(problem.type()).endsWith(":precondition-failed");
    assertThat(problem.currentVersion()).isEqualTo(2);
    assertThat(problem.changed())
        .containsExactly(new Problem.ChangedField("schedule", "{\"every\":\"PT5H\"}"));
    assertThat(problem.detail()).contains("orders/lost is at version 2", "schedule");
    assertThat(job("lost").settings().priority()).isEqualTo(7);
    assertThat(put("lost", get("lost").tag(), get("lost").body()).status()).isEqualTo(200);
  }

  @Test
  void shardsAreChangedAndSaidToHaveChanged() throws Exception {
    submit("split", "\"schedule\":{\"every\":\"PT6H\"},\"shards\":3");
    Answered seen = get("split");
    assertThat(seen.body()).contains("\"shards\":3");
    assertThat(
            put("split", seen.tag(), seen.body().replace("\"shards\":3", "\"shards\":5")).status())
        .isEqualTo(200);

    Problem late = put("split", seen.tag(), seen.body()).as(Problem.class);

    assertThat(late.changed()).containsExactly(new Problem.ChangedField("shards", "\"5\""));
    Answered none = put("split", get("split").tag(), "{\"schedule\":{\"every\":\"PT6H\"}}");
    assertThat(none.status()).as(none.body()).isEqualTo(200);
    assertThat(job("split").settings().shards()).isNull();
    Answered wrong = put("split", null, "{\"schedule\":{\"every\":\"PT6H\"},\"shards\":0}");
    assertThat(wrong.status()).isEqualTo(422);
    assertThat(wrong.as(Problem.class).detail()).contains("0 shards are not between 1 and 1000");
  }

  @Test
  void broadcastIsChangedAndSaidToHaveChanged() throws Exception {
    submit("reload", "\"schedule\":{\"every\":\"PT6H\"},\"broadcast\":true");
    Answered seen = get("reload");
    assertThat(seen.body()).contains("\"broadcast\":true", "\"onWorkerLost\":\"SKIP\"");
    String edited = seen.body().replace("\"onWorkerLost\":\"SKIP\"", "\"onWorkerLost\":\"DEAD\"");
    assertThat(edited).isNotEqualTo(seen.body());
    assertThat(put("reload", seen.tag(), edited).status()).isEqualTo(200);

    Problem late = put("reload", seen.tag(), seen.body()).as(Problem.class);

    assertThat(late.changed())
        .containsExactly(new Problem.ChangedField("onWorkerLost", "\"DEAD\""));
    Answered wrong =
        put("reload", null, "{\"schedule\":{\"every\":\"PT6H\"},\"broadcast\":true,\"shards\":2}");
    assertThat(wrong.status()).isEqualTo(422);
    assertThat(wrong.as(Problem.class).detail())
        .contains("broadcast and shards are not allowed together");
    Answered none = put("reload", get("reload").tag(), "{\"schedule\":{\"every\":\"PT6H\"}}");
    assertThat(none.status()).as(none.body()).isEqualTo(200);
    assertThat(job("reload").settings().broadcast()).isFalse();
    assertThat(job("reload").settings().onWorkerLost()).isNull();
  }

  @Test
  void rulesForPartsAreChangedAndSaidToHaveChanged() throws Exception {
    submit("reduced", "\"schedule\":{\"every\":\"PT6H\"},\"reduce\":\"sum\"");
    Answered seen = get("reduced");
    assertThat(seen.body()).contains("\"reduce\":\"sum\"");
    String edited =
        seen.body()
            .replace("\"reduce\":\"sum\"", "\"reduce\":\"total\"")
            .replace("\"onPartFailure\":\"FINISH\"", "\"onPartFailure\":\"STOP\"");
    assertThat(put("reduced", seen.tag(), edited).status()).isEqualTo(200);

    Problem late = put("reduced", seen.tag(), seen.body()).as(Problem.class);

    assertThat(late.changed())
        .containsExactly(
            new Problem.ChangedField("reduce", "\"total\""),
            new Problem.ChangedField("onPartFailure", "\"STOP\""));
    Answered wrong =
        put("reduced", null, "{\"schedule\":{\"every\":\"PT6H\"},\"within\":\"PT0S\"}");
    assertThat(wrong.status()).isEqualTo(422);
    assertThat(wrong.as(Problem.class).detail()).contains("the time PT0S for a run with its parts");
  }

  @Test
  void cancelOfAnOlderVersionIsRefusedWithWhatHasChangedSince() throws Exception {
    submit("kept", "\"schedule\":{\"every\":\"PT6H\"}");
    Answered seen = get("kept");
    assertThat(put("kept", seen.tag(), "{\"schedule\":{\"every\":\"PT5H\"}}").status())
        .isEqualTo(200);

    Answered late = cancel("kept", String.valueOf(seen.tag()));

    assertThat(late.status()).isEqualTo(412);
    assertThat(late.as(Problem.class).detail())
        .contains("the cancel is based on another version; changed since: schedule");
    assertThat(job("kept").state()).isEqualTo(JobCondition.ACTIVE);
    assertThat(cancel("kept", "x").status()).isEqualTo(412);
    assertThat(cancel("kept", String.valueOf(get("kept").tag())).status()).isEqualTo(200);
    assertThat(cancel("kept", String.valueOf(get("kept").tag())).status()).isEqualTo(404);
  }

  private static Answered cancel(String task, String tag) throws Exception {
    return console
        .ask("POST", "/api/v1/jobs/orders/" + task + "/cancel")
        .header("If-Match", tag)
        .send();
  }

  @Test
  void versionInTheBodyGuardsWhereThereIsNoTag() throws Exception {
    submit("unguarded", "\"schedule\":{\"every\":\"PT6H\"}");
    String seen = get("unguarded").body();
    assertThat(put("unguarded", null, seen).status()).isEqualTo(200);

    Answered late = put("unguarded", null, seen);
    assertThat(late.status()).isEqualTo(412);
    assertThat(late.as(Problem.class).currentVersion()).isEqualTo(2);
    assertThat(put("unguarded", "*", seen).status()).isEqualTo(200);
    assertThat(put("unguarded", null, "{\"schedule\":{\"every\":\"PT6H\"}}").status())
        .isEqualTo(200);
    assertThat(put("unguarded", "\"1\"", seen).status()).isEqualTo(412);
    assertThat(job("unguarded").version()).isEqualTo(4);
  }

  @Test
  void pausedJobStaysPaused() throws Exception {
    submit("asleep", "\"schedule\":{\"every\":\"PT6H\"}");
    console
        .ask("POST", "/api/v1/jobs/orders/asleep/pause")
        .json("{\"reason\":\"stocktaking\"}")
        .send();
    Answered seen = get("asleep");

    assertThat(put("asleep", seen.tag(), seen.body()).status()).isEqualTo(200);

    JobDetail after = job("asleep");
    assertThat(after.state()).isEqualTo(JobCondition.PAUSED);
    assertThat(Objects.requireNonNull(after.progress().pause()).reason()).isEqualTo("stocktaking");
  }

  @Test
  void whatAnEditCannotChangeIsSaid() throws Exception {
    submit("fixed", "\"schedule\":{\"every\":\"PT6H\"}");
    for (Map.Entry<String, String> wrong :
        Map.of(
                "taskId", "\"other\"",
                "nodeGroup", "\"other\"",
                "feedback", "true",
                "clientGroup", "\"shop\"")
            .entrySet()) {
      Answered answered =
          put(
              "fixed",
              null,
              "{\"schedule\":{\"every\":\"PT6H\"},\""
                  + wrong.getKey()
                  + "\":"
                  + wrong.getValue()
                  + "}");
      assertThat(answered.status()).as(answered.body()).isEqualTo(422);
      assertThat(answered.as(Problem.class).detail()).startsWith(wrong.getKey() + " is ");
    }
    assertThat(put("fixed", null, "{}").as(Problem.class).detail()).contains("schedule is missing");
    assertThat(job("fixed").version()).isEqualTo(1);
  }

  @Test
  void changesWithoutABodyAreTakenWhereNothingInItIsNeeded() throws Exception {
    submit("plain", "\"schedule\":{\"every\":\"PT6H\"}");

    assertThat(console.ask("POST", "/api/v1/jobs/orders/plain/pause").send().status())
        .isEqualTo(200);
    assertThat(console.ask("POST", "/api/v1/jobs/orders/plain/run").send().status()).isEqualTo(201);
    Answered without = console.ask("POST", "/api/v1/jobs").send();
    assertThat(without.status()).isEqualTo(415);
    assertThat(without.body()).doesNotContain("null").contains("no Content-Type");
    assertThat(job("plain").settings().timeout()).isNull();
    assertThat(job("plain").settings().retry().firstDelay()).isEqualTo(Duration.ofSeconds(1));
  }
}
