package io.millrace.scripts.operate.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.api.job.JobDetail;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.scripts.operate.file.Change.Kind;
import io.millrace.scripts.output.Output;
import io.millrace.scripts.output.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What differs between a job of a file and the live one, and what is done about it. */
class DifferenceTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final String TAG = "\"7.1.x\"";

  private final JsonCodec codec = new JsonCodec();

  private FileJob wanted(String fields) {
    return codec.decodeText(
        "{\"nodeGroup\":\"orders\",\"taskId\":\"report\"," + fields.replace('\'', '"') + "}",
        FileJob.class);
  }

  private LiveJob live(String state, String fields) {
    String detail =
        """
        {"nodeGroup":"orders","taskId":"report","id":"7","state":"%s","version":1,
         "scheduleInWords":"","generatedUntil":"2030-01-01T00:00:00Z","exhausted":false,
         "executing":0,"clientGroup":"","feedback":false,"submissionId":"s","submittedBy":"x",
         "acceptedAt":"2030-01-01T00:00:00Z","priority":100,%s}
        """
            .formatted(state, fields.replace('\'', '"'));
    return new LiveJob(codec.decodeText(detail, JobDetail.class), TAG);
  }

  private static Change of(FileJob wanted, @Nullable LiveJob live) {
    return Difference.of(wanted, live, NOW);
  }

  @Test
  void equalJobsAreAsTheyAre() {
    Change same =
        of(
            wanted("'schedule':{'every':'PT60M'},'retry':{'maxRetries':3}"),
            live("ACTIVE", "'schedule':{'every':'PT1H'},'overlap':{'kind':'SKIP'}"));

    assertThat(same.kind()).isEqualTo(Kind.SAME);
    assertThat(same.kind().isDone()).isFalse();
  }

  @Test
  void eachFieldThatDiffersHasALineWithBothValues() {
    Change changed =
        of(
            wanted(
                "'schedule':{'every':'PT2H'},'handler':'http','params':{'a':'1\\n2','c':'3'},"
                    + "'retry':{'maxRetries':5},'on':['gpu']"),
            live("PAUSED", "'schedule':{'every':'PT1H'},'params':{'a':'1','b':'2'}"));

    assertThat(changed.kind()).isEqualTo(Kind.CHANGED);
    assertThat(changed.tag()).isEqualTo(TAG);
    assertThat(changed.line()).isEqualTo("~ orders/report");
    assertThat(changed.fields())
        .containsExactly(
            "handler: none -> \"http\"",
            "on: [] -> [\"gpu\"]",
            "params.a: \"1\" -> \"1\\n2\"",
            "params.b: \"2\" -> none",
            "params.c: none -> \"3\"",
            "retry.maxRetries: 3 -> 5",
            "schedule.every: \"PT1H\" -> \"PT2H\"");
  }

  @Test
  void longValueIsCut() {
    Change changed =
        of(
            wanted("'schedule':{'every':'PT1H'},'params':{'a':'" + "x".repeat(5_000) + "'}"),
            live("ACTIVE", "'schedule':{'every':'PT1H'}"));

    assertThat(changed.fields().get(0)).endsWith("x… (5002 characters)").hasSizeLessThan(250);
  }

  @Test
  void editOfADeclaredJobNamesTheOwner() {
    String owner = ",'declared':{'owner':'billing','declaredAt':'2029-01-01T00:00:00Z'}";
    String every = "'schedule':{'every':'PT1H'}";

    assertThat(of(wanted("'schedule':{'every':'PT2H'}"), live("ACTIVE", every + owner)).line())
        .isEqualTo("~ orders/report (declared by billing, which may change it back)");
    Change pruned = Difference.removal(live("ACTIVE", every + owner));
    assertThat(pruned.kind()).isEqualTo(Kind.LEFT_ALONE);
    assertThat(pruned.line()).isEqualTo("  orders/report: left alone: declared by billing");
    String retired = owner.replace("}", ",'retiredAt':'2029-01-02T00:00:00Z'}");
    assertThat(Difference.removal(live("ACTIVE", every + retired)).kind()).isEqualTo(Kind.REMOVED);
  }

  @Test
  void oneShotThatHasRunOrRunsIsNotRunAgain() {
    FileJob past = wanted("'schedule':{'at':'2030-01-01T00:00:00Z'}");
    FileJob next = wanted("'schedule':{'at':'2030-01-01T00:00:00.001Z'}");
    String live = "'schedule':{'at':'2030-01-01T00:00:00Z'}";

    assertThat(of(past, null).kind()).isEqualTo(Kind.LEFT_ALONE);
    assertThat(of(next, null).kind()).isEqualTo(Kind.NEW);
    assertThat(of(past, live("EXECUTING", live)).kind()).isEqualTo(Kind.SAME);
    assertThat(of(next, live("EXECUTING", live)).line())
        .isEqualTo("  orders/report: left alone: a worker runs this one-shot already");
    assertThat(of(next, live("WAITING", live)).kind()).isEqualTo(Kind.CHANGED);
    assertThat(Difference.removal(live("EXECUTING", live)).kind()).isEqualTo(Kind.LEFT_ALONE);
    assertThat(Difference.removal(live("WAITING", live)).kind()).isEqualTo(Kind.REMOVED);
  }

  @Test
  void jobThatHasFinishedBeginsAnewOnlyIfItsDefinitionDiffers() {
    String thrice = "'schedule':{'every':'PT1H','times':3}";
    FileJob past = wanted("'schedule':{'at':'2030-01-01T00:00:00Z'}");

    assertThat(of(wanted(thrice), live("FINISHED", thrice)).kind()).isEqualTo(Kind.LEFT_ALONE);
    assertThat(of(wanted(thrice.replace("3", "4")), live("FINISHED", thrice)).kind())
        .isEqualTo(Kind.NEW);
    assertThat(of(past, live("FINISHED", thrice)).kind()).isEqualTo(Kind.LEFT_ALONE);
  }

  @Test
  void differenceIsPrintedWithItsCounts() {
    StringWriter out = new StringWriter();
    Terminal none = new Terminal(false, false, false);
    Output output =
        new Output(new PrintWriter(out), new PrintWriter(new StringWriter()), false, none);
    FileJob hourly = wanted("'schedule':{'every':'PT1H'}");
    LiveJob live = live("ACTIVE", "'schedule':{'every':'PT1H'}");

    Difference difference =
        new Difference(
            List.of(
                of(hourly, null),
                of(wanted("'schedule':{'every':'PT1H'},'priority':7"), live),
                Difference.removal(live),
                of(hourly, live),
                Difference.declared(live.key(), "billing")));
    difference.print(output);

    assertThat(out.toString())
        .isEqualTo(
            """
            + orders/report
            ~ orders/report
                priority: 100 -> 7
            - orders/report
              orders/report: left alone: declared by billing
            1 new, 1 changed, 1 removed, 1 as they are, 1 left alone
            """);
    assertThat(difference.toDo()).hasSize(3);
  }
}
