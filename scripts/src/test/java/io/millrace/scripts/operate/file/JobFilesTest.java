package io.millrace.scripts.operate.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.scripts.BadInputException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong in a file is said with the file, the job and the field. */
class JobFilesTest {
  private static final String JOB =
      "{\"nodeGroup\":\"orders\",\"taskId\":\"report\",\"schedule\":{\"every\":\"PT6H\"}}";

  @TempDir private Path directory;

  private final JobFiles files = new JobFiles(new ByteArrayInputStream(new byte[0]));

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private void assertRefused(String text, String... words) throws IOException {
    Path file = file("jobs.json", text);
    assertThatThrownBy(() -> files.read(file))
        .isExactlyInstanceOf(BadInputException.class)
        .hasMessageContaining("jobs.json")
        .hasMessageContainingAll(words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'priorty':3|has no field 'priorty'; it may have nodeGroup, taskId, schedule, params,",
        "'priority':'3'|priority is not a 32-bit integer",
        "'priority':300|priority: BAD_PRIORITY: priority 300 must be between 0 and 255",
        "'priority':1,'priority':2|has the field priority twice",
        "'retry':{'maxRetries':1,'maxRetries':2}|has the field retry.maxRetries twice",
        "'retry':{'maxRetrys':1}|retry has no field 'maxRetrys'",
        "'retry':{'maxRetries':-1}|retry: BAD_RETRY_POLICY: ",
        "'overlap':{'kind':'SOMETIMES'}|overlap.kind is not one of [ALLOW, SKIP, QUEUE]",
        "'timeout':'5 minutes'|timeout is not an ISO-8601 duration",
        "'params':{'a':1}|params.a value is not a string",
        "'params':['a']|params is not an object",
        "'on':['a b']|on: BAD_LABELS: ",
        "'replaceExisting':true|has no field 'replaceExisting'",
        "'submissionId':'x'|has no field 'submissionId'",
        "'version':3|has no field 'version'",
      })
  void faultOfAFieldIsNamed(String field, String words) throws IOException {
    String job = JOB.replace("}}", "}," + field.replace('\'', '"') + "}");

    assertRefused("{\"format\":1,\"jobs\":[" + job + "]}", "orders/report: " + words);
    assertThat(files.jobs()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|schedule.at is missing: a one-shot in a file needs its instant",
        "{'after':'PT1H'}|schedule.at is missing",
        "{'zone':'UTC'}|a zone is allowed only with a cron expression",
        "{'zone':'Mars','cron':'@daily'}|schedule.zone is not a time zone: 'Mars'",
        "{'every':'PT1H','cron':'@daily'}|schedule allows only one of cron, every and fixedDelay",
        "{'every':'PT0S'}|schedule: BAD_INTERVAL: ",
        "{'every':'PT1H','times':0}|schedule.times: BAD_TIMES: ",
        "{'evry':'PT1H'}|schedule has no field 'evry'",
        "null|schedule is missing",
      })
  void faultOfAScheduleIsNamed(String schedule, String words) throws IOException {
    String job = JOB.replace("{\"every\":\"PT6H\"}", schedule.replace('\'', '"'));

    assertRefused("{\"format\":1,\"jobs\":[" + job + "]}", "orders/report: " + words);
  }

  @Test
  void jobWithoutAKeyIsNamedByItsPlace() throws IOException {
    assertRefused(
        "{\"format\":1,\"jobs\":[" + JOB + ",{\"taskId\":\"x\",\"schedule\":{}}]}",
        "job 2 of the list: nodeGroup is missing");
    assertRefused("{\"format\":1,\"jobs\":[7]}", "job 1 of the list: is not an object");
  }

  @Test
  void sameJobTwiceIsNamedWithBothFiles() throws IOException {
    assertRefused(
        "{\"format\":1,\"jobs\":[" + JOB + "," + JOB + "]}", "orders/report: stands twice");

    Path one = file("one.json", "{\"format\":1,\"jobs\":[" + JOB + "]}");
    JobFiles both = new JobFiles(new ByteArrayInputStream(new byte[0]));
    both.read(one);
    assertThatThrownBy(() -> both.read(file("two.json", Files.readString(one))))
        .hasMessageContainingAll("two.json: orders/report: stands twice: in ", "one.json too");
  }

  @Test
  void whatIsNoFileOfJobsIsSaid() throws IOException {
    assertRefused("{\"format\":2,\"jobs\":[]}", "jobs.json has the format 2; ", "the format 1");
    assertRefused("{\"format\":\"1\",\"jobs\":[]}", "has the format \"1\"");
    assertRefused("{\"jobs\":[]}", "has no field format");
    assertRefused("{\"format\":1}", "has no field jobs");
    assertRefused("{\"format\":1,\"jobs\":{}}", "has jobs that are no list");
    assertRefused("{\"format\":1,\"jobs\":[],\"job\":[]}", "has a field 'job'");
    assertRefused("{\"format\":1,\"jobs\":[],\"jobs\":[]}", "has a field twice: jobs");
    assertRefused("[]", "is not an object with the fields format and jobs");
    assertRefused(
        "{\n\"format\":1,\n\"jobs\":[],\n}", "is not JSON: expected a field name", "in line 4");
    assertRefused("", "is not JSON");
    assertThatThrownBy(() -> files.read(directory.resolve("none.json")))
        .isExactlyInstanceOf(BadInputException.class)
        .hasMessageContaining("none.json cannot be read: NoSuchFileException");
    Path bytes = Files.write(directory.resolve("latin.json"), new byte[] {'"', (byte) 0xe9, '"'});
    assertThatThrownBy(() -> files.read(bytes)).hasMessageContaining("latin.json is not UTF-8");
  }
}
