package io.millrace.scripts.operate.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The form of a job in a file: whole when it is read, and short when it is written. */
class FileJobTest {
  private static final String KEY = "{\"nodeGroup\":\"orders\",\"taskId\":\"report\",";

  @TempDir private Path directory;

  private Job read(String job) throws IOException {
    Path file = directory.resolve("jobs.json");
    Files.writeString(file, "{\"format\":1,\"jobs\":[" + job + "]}");
    JobFiles files = new JobFiles(new ByteArrayInputStream(new byte[0]));
    files.read(file);
    return files.jobs().get(0).toJob();
  }

  /** Each of them says nothing that is the default. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'schedule':{'cron':'0 0 6 * * ?'}",
        "'schedule':{'cron':'0 0 6 * * ?','zone':'Asia/Shanghai','at':'2030-01-01T00:00:00Z',"
            + "'until':'2040-01-01T00:00:00.123Z'}",
        "'schedule':{'at':'2030-01-01T00:00:00.007Z','every':'PT6H','times':'9',"
            + "'until':'2040-01-01T00:00:00Z'}",
        "'schedule':{'fixedDelay':'PT0.25S'},'handler':'poll'",
        "'schedule':{'at':'2030-01-01T00:00:00.123Z'},'priority':3",
        "'schedule':{'every':'PT6H'},'shards':8,'reduce':'sum','onPartFailure':'IGNORE',"
            + "'within':'PT2H'",
        "'schedule':{'every':'PT6H'},'broadcast':true",
        "'schedule':{'every':'PT6H'},'broadcast':true,'onWorkerLost':'DEAD'",
        "'schedule':{'every':'PT6H'},'on':['eu','gpu'],'stickTo':'customer-7'",
        "'schedule':{'every':'PT6H'},'overlap':{'kind':'ALLOW'}",
        "'schedule':{'every':'PT6H'},'overlap':{'kind':'QUEUE','limit':5}",
        "'schedule':{'every':'PT6H'},'misfire':{'kind':'ALL','cap':5}",
        "'schedule':{'every':'PT6H'},'overlap':{'kind':'SKIP'},'misfire':{'kind':'ALL'}",
        "'schedule':{'every':'PT6H'},'misfire':{'window':'PT10M','afterPause':true}",
        "'schedule':{'cron':'0 0 6 * * ?'},'relyOnPrevCycle':true",
        "'schedule':{'every':'PT6H'},'retry':{'maxRetries':9}",
        "'schedule':{'every':'PT6H'},'retry':{'firstDelay':'PT2S','maxDelay':'PT1M',"
            + "'multiplier':1.5,'jitter':0.0,'nonRetryable':['java.io.IOException']}",
        "'schedule':{'every':'PT6H'},'params':{'a':'1','script':'x\\n é\\'},'timeout':'PT1M'",
        "'schedule':{'every':'PT6H'},"
            + "'traceParent':'00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'"
      })
  void whatIsWrittenIsWhatWasReadAndNoMore(String fields) throws IOException {
    Job job = read(KEY + fields.replace("\\'", "\\u005c'").replace('\'', '"') + "}");

    Json written = FileJob.written(job);

    assertThat(written.text())
        .isEqualTo(KEY + fields.replace("\\'", "\\\\'").replace('\'', '"') + "}");
    Job again = read(written.text());
    assertThat(FileJob.values(again)).isEqualTo(FileJob.values(job));
    assertThat(FileJob.written(again)).isEqualTo(written);
  }

  @Test
  void whatIsSaidAsItIsWithoutSayingItIsNotWritten() throws IOException {
    Job job =
        read(
            KEY
                + """
                "schedule": {"every": "PT6H"}, "priority": 100, "params": {}, "on": [],
                "retry": {"maxRetries": 3, "jitter": 0.2}, "overlap": {"kind": "SKIP"},
                "misfire": {"kind": "LATEST", "cap": 100}, "relyOnPrevCycle": false,
                "broadcast": false, "onPartFailure": "FINISH", "handler": null}
                """);

    assertThat(FileJob.written(job).text()).isEqualTo(KEY + "\"schedule\":{\"every\":\"PT6H\"}}");
  }

  @Test
  void parametersOfTypesAreWrittenAsTheirText() throws IOException {
    Job job =
        Job.builder("orders", "report")
            .every(Duration.ofHours(6))
            .param("total", 3)
            .param("days", Map.of("a", 1))
            .param("text", "7")
            .build();

    Json written = FileJob.written(job);

    assertThat(written.text())
        .contains("\"params\":{\"days\":\"{\\\"a\\\":1}\",\"text\":\"7\",\"total\":\"3\"}");
    assertThat(read(written.text()).params()).isEqualTo(job.params());
  }

  @Test
  void layoutIsForPeopleAndForDifferencesOfLines() throws IOException {
    Job job = read(KEY + "\"schedule\":{\"every\":\"PT6H\"},\"on\":[\"gpu\",\"eu\"]}");
    StringBuilder text = new StringBuilder();

    new JsonLayout(text, true).write(FileJob.written(job));

    assertThat(text.toString())
        .isEqualTo(
            """
            {
              "nodeGroup": "orders",
              "taskId": "report",
              "schedule": {
                "every": "PT6H"
              },
              "on": [
                "eu",
                "gpu"
              ]
            }""");
  }

  @Test
  void instantOfAOneShotIsComparedInMilliseconds() throws IOException {
    Job fine = read(KEY + "\"schedule\":{\"at\":\"2030-01-01T00:00:00.123456Z\"}}");
    Job kept = read(KEY + "\"schedule\":{\"at\":\"2030-01-01T00:00:00.123Z\"}}");

    assertThat(FileJob.values(fine)).isEqualTo(FileJob.values(kept));
  }

  @Test
  void standardInputIsReadToo() {
    String text = "{\"format\":1,\"jobs\":[" + KEY + "\"schedule\":{\"every\":\"PT6H\"}}]}";
    JobFiles files = new JobFiles(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    files.read(JobFiles.STANDARD_INPUT);

    assertThat(files.jobs()).extracting(FileJob::key).containsExactly(new Key("orders", "report"));
  }
}
