package io.millrace.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ChangeResult;
import io.millrace.api.ChangeStatus;
import io.millrace.api.Explanation;
import io.millrace.api.FactKind;
import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RejectReason;
import io.millrace.api.RetryPolicy;
import io.millrace.api.Schedule;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.codec.CodecException.Fault;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.HelloReply;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.PullStatus;
import io.millrace.internal.protocol.RequestType;
import io.millrace.internal.protocol.SubmitRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonCodecTest {
  private final JsonCodec codec = new JsonCodec();

  @Test
  void schedulesStandInTheirDocumentedForm() {
    assertThat(
            List.of(
                codec.encodeText(new Schedule.Once(Instant.parse("2026-01-01T00:00:00Z"), null)),
                codec.encodeText(new Schedule.Once(null, Duration.ofSeconds(90))),
                codec.encodeText(new Schedule.Once(null, null)),
                codec.encodeText(new Schedule.Cron("0 0/5 * * * ?", ZoneId.of("Asia/Shanghai"))),
                codec.encodeText(new Schedule.Repeat(Duration.ofSeconds(30), null, 10L)),
                codec.encodeText(new Schedule.FixedDelay(Duration.ofMillis(1), null, null)),
                codec.encodeText(
                    new Schedule.Cron("@daily", null, Instant.EPOCH, Instant.ofEpochSecond(1))),
                codec.encodeText(
                    new Schedule.Repeat(Duration.ofSeconds(30), null, null, Instant.EPOCH)),
                codec.encodeText(
                    new Schedule.FixedDelay(Duration.ofSeconds(1), null, null, Instant.EPOCH))))
        .containsExactly(
            "{\"kind\":\"once\",\"at\":\"2026-01-01T00:00:00Z\"}",
            "{\"kind\":\"once\",\"after\":\"PT1M30S\"}",
            "{\"kind\":\"once\"}",
            "{\"kind\":\"cron\",\"expression\":\"0 0/5 * * * ?\",\"zone\":\"Asia/Shanghai\"}",
            "{\"kind\":\"repeat\",\"interval\":\"PT30S\",\"times\":\"10\"}",
            "{\"kind\":\"fixedDelay\",\"delay\":\"PT0.001S\"}",
            "{\"kind\":\"cron\",\"expression\":\"@daily\",\"start\":\"1970-01-01T00:00:00Z\","
                + "\"end\":\"1970-01-01T00:00:01Z\"}",
            "{\"kind\":\"repeat\",\"interval\":\"PT30S\",\"end\":\"1970-01-01T00:00:00Z\"}",
            "{\"kind\":\"fixedDelay\",\"delay\":\"PT1S\",\"end\":\"1970-01-01T00:00:00Z\"}");
  }

  @Test
  void kindOfAScheduleMayComeLast() {
    String json = "{\"expression\":\"@daily\",\"kind\":\"cron\"}";

    assertThat(codec.decodeText(json, Schedule.class)).isEqualTo(new Schedule.Cron("@daily", null));
  }

  @Test
  void sixtyFourBitNumbersAreWrittenAsStringsAndReadAsBoth() {
    PullRequest pull = new PullRequest(Long.MAX_VALUE, 3, List.of(1L), List.of(Long.MIN_VALUE));

    assertThat(codec.encodeText(pull))
        .isEqualTo(
            "{\"number\":\"9223372036854775807\",\"slots\":3,\"openPulls\":[\"1\"],"
                + "\"held\":[\"-9223372036854775808\"]}");
    assertThat(
            codec.decodeText(
                "{\"number\":9223372036854775807,\"slots\":3,\"openPulls\":[1],"
                    + "\"held\":[-9223372036854775808]}",
                PullRequest.class))
        .isEqualTo(pull);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE})
  void thirtyTwoBitNumbersAreNumbers(int slots) {
    PullRequest pull = new PullRequest(0, slots, List.of(), List.of());

    assertThat(codec.encodeText(pull)).contains("\"slots\":" + slots + ",");
    assertThat(codec.decodeText(codec.encodeText(pull), PullRequest.class)).isEqualTo(pull);
  }

  @Test
  void unknownEnumNamesAreUnknownWhereverTheyStand() {
    SubmitResult result =
        codec.decodeText(
            "{\"taskId\":\"a\",\"status\":\"POSTPONED\",\"reason\":\"BAD_MOOD\"}",
            SubmitResult.class);
    assertThat(result.status()).isEqualTo(SubmitStatus.UNKNOWN);
    assertThat(result.reason()).isEqualTo(RejectReason.UNKNOWN);
    assertThat(codec.decodeText("{\"status\":\"SHARED\",\"stopRequested\":[]}", PullReply.class))
        .extracting(PullReply::status)
        .isEqualTo(PullStatus.UNKNOWN);
    assertThat(
            codec
                .decodeText(
                    "{\"executionId\":\"1\",\"outcome\":\"VANISHED\",\"exceptionTypes\":[],"
                        + "\"finishedAt\":\"2026-01-01T00:00:00Z\"}",
                    ExecutionResult.class)
                .outcome())
        .isEqualTo(Outcome.UNKNOWN);
  }

  @Test
  void unknownKindsOfPoliciesAndFactsAreUnknown() {
    Job job =
        codec.decodeText(
            jobOfTheFormerVersion(
                ",\"overlap\":{\"kind\":\"REPLACE\",\"limit\":1},"
                    + "\"misfire\":{\"kind\":\"ASK\",\"window\":\"PT1H\"}"),
            Job.class);
    assertThat(job.overlap()).isEqualTo(new OverlapPolicy(OverlapPolicy.Kind.UNKNOWN, 1));
    assertThat(job.misfire())
        .isEqualTo(new MisfirePolicy(MisfirePolicy.Kind.UNKNOWN, Duration.ofHours(1), 100, false));
    assertThat(
            codec
                .decodeText("{\"status\":\"LATER\",\"message\":\"\"}", ChangeResult.class)
                .status())
        .isEqualTo(ChangeStatus.UNKNOWN);
    assertThat(codec.decodeText("{\"kind\":\"OMEN\",\"text\":\"\"}", Explanation.Fact.class).kind())
        .isEqualTo(FactKind.UNKNOWN);
  }

  @Test
  void missingFieldsOfAJobMeanWhatTheBuilderMeans() {
    assertThat(codec.decodeText("{\"nodeGroup\":\"g\",\"taskId\":\"a\"}", Job.class))
        .isEqualTo(Job.builder("g", "a").build());
    assertThat(jobWith("\"retry\":{\"maxRetries\":0}"))
        .isEqualTo(Job.builder("g", "a").retry(0).build());
    assertThat(jobWith("\"priority\":null,\"retry\":{\"multiplier\":3.0}").retry())
        .isEqualTo(
            new RetryPolicy(3, Duration.ofSeconds(1), Duration.ofMinutes(10), 3.0, 0.2, List.of()));
    assertThat(jobWith("\"misfire\":{\"kind\":\"ALL\"}").misfire()).isEqualTo(MisfirePolicy.all());
    assertThat(jobWith("\"priority\":0").priority()).isZero();
  }

  @Test
  void keyOfAJobHasNoDefault() {
    assertInvalid("{\"taskId\":\"a\"}", Job.class).hasMessage("Job: nodeGroup is missing");
    assertInvalid("{\"submissionId\":\"s\"}", JobSubmission.class)
        .hasMessage("JobSubmission: job is missing");
  }

  private Job jobWith(String field) {
    return codec.decodeText("{\"nodeGroup\":\"g\",\"taskId\":\"a\"," + field + "}", Job.class);
  }

  @Test
  void jobOfTheFormerVersionHasNeitherPoliciesNorBounds() {
    Job job = codec.decodeText(jobOfTheFormerVersion(""), Job.class);

    assertThat(job)
        .isEqualTo(
            Job.builder("g", "a")
                .cron("@daily")
                .retry(new RetryPolicy(1, Duration.ZERO, Duration.ZERO, 1, 0, List.of()))
                .build());
    assertThat(job.overlap()).isNull();
    assertThat(job.misfire()).isNull();
    assertThat(job.schedule().start()).isNull();
    assertThat(job.schedule().end()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"repeat\",\"interval", "fixedDelay\",\"delay"})
  void scheduleOfTheFormerVersionHasNoEnd(String kindAndPeriod) {
    String json = "{\"kind\":\"" + kindAndPeriod + "\":\"PT1S\",\"times\":\"10\"}";

    assertThat(codec.decodeText(json, Schedule.class).end()).isNull();
  }

  @Test
  void missingNumbersListsAndEnumsHaveADefault() {
    assertThat(codec.decodeText("{}", PullRequest.class))
        .isEqualTo(new PullRequest(0, 0, List.of(), List.of()));
    assertThat(codec.decodeText("{\"status\":null}", PullReply.class).status())
        .isEqualTo(PullStatus.UNKNOWN);
    assertThat(
            codec
                .decodeText("{\"trackerId\":\"t\",\"challenge\":\"c\"}", HelloReply.class)
                .proofRequired())
        .isFalse();
  }

  @ParameterizedTest
  @EnumSource(RequestType.class)
  void everyMessagePassesOverFieldsItDoesNotKnow(RequestType type) {
    for (Class<?> message : List.of(type.requestClass(), type.replyClass())) {
      Object value = new SampleValues(42).of(message);
      String json = codec.encodeText(value);
      String separator = json.length() == 2 ? "" : ",";
      String newer = "{\"tomorrow\":{\"a\":[{},[1],\"x\"]}" + separator + json.substring(1);

      assertThat(codec.decodeText(newer, message)).isEqualTo(value);
    }
  }

  @Test
  void missingFieldIsNamedWithItsPathAndItsMessage() {
    String json = "{\"submissions\":[{\"submissionId\":\"s\",\"job\":{\"nodeGroup\":\"g\"}}]}";

    assertInvalid(json, SubmitRequest.class)
        .hasMessage("SubmitRequest: submissions[0].job.taskId is missing");
  }

  @Test
  void requiredReferenceIsMissedWhetherAbsentOrNull() {
    assertInvalid("{\"nodeGroup\":\"g\"}", CancelRequest.class)
        .hasMessage("CancelRequest: taskId is missing");
    assertInvalid("{\"nodeGroup\":\"g\",\"taskId\":null}", CancelRequest.class)
        .hasMessage("CancelRequest: taskId is missing");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "1",
        "null",
        "\"a\"",
        "{\"nodeGroup\":1,\"taskId\":\"a\"}",
        "{\"nodeGroup\":{},\"taskId\":\"a\"}",
        "{\"nodeGroup\":[\"g\"],\"taskId\":\"a\"}",
        "{\"nodeGroup\":true,\"taskId\":\"a\"}",
        "{\"NodeGroup\":\"g\",\"taskId\":\"a\"}",
        "{\"node_group\":\"g\",\"taskId\":\"a\"}"
      })
  void nothingIsGuessed(String json) {
    assertInvalid(json, CancelRequest.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"slots\":\"1\"}",
        "{\"slots\":1.0}",
        "{\"slots\":1e3}",
        "{\"slots\":2147483648}",
        "{\"slots\":true}",
        "{\"slots\":[1]}",
        "{\"number\":9223372036854775808}",
        "{\"number\":\"9223372036854775808\"}",
        "{\"number\":\"1.0\"}",
        "{\"number\":\"\"}",
        "{\"number\":1.5}",
        "{\"held\":[null]}",
        "{\"held\":\"1\"}",
        "{\"held\":{}}"
      })
  void numbersAndListsAreTakenExactly(String json) {
    assertInvalid(json, PullRequest.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"kind\":\"yearly\"}",
        "{\"kind\":\"cron\"}",
        "{\"kind\":\"repeat\",\"interval\":\"30s\"}",
        "{\"kind\":\"repeat\",\"interval\":30}",
        "{\"kind\":\"once\",\"at\":\"tomorrow\"}",
        "{\"kind\":\"once\",\"at\":\"2026-01-01T00:00:00Z\",\"after\":\"PT1S\"}",
        "{\"kind\":\"cron\",\"expression\":\"@daily\",\"zone\":\"Atlantis/Capital\"}"
      })
  void scheduleOfAnotherFormIsRefused(String json) {
    assertInvalid(json, Schedule.class);
  }

  @Test
  void longTextIsNotParsedAsATime() {
    String json = "{\"kind\":\"once\",\"after\":\"PT" + "1".repeat(1_000_000) + "S\"}";

    assertInvalid(json, Schedule.class).hasMessage("Schedule: after is not an ISO-8601 duration");
  }

  @Test
  void scheduleOfAnotherKindThanAskedForIsRefused() {
    assertInvalid("{\"kind\":\"once\"}", Schedule.Cron.class);
  }

  @Test
  void typeNamesOnTheWireMeanNothing() {
    String json =
        "{\"@type\":\"java.net.Inet4Address\",\"nodeGroup\":\"g\",\"taskId\":\"a\","
            + "\"x\":{\"@type\":\"java.lang.AutoCloseable\",\"$ref\":\"$\"}}";

    assertThat(codec.decodeText(json, CancelRequest.class)).isEqualTo(new CancelRequest("g", "a"));
  }

  @Test
  void keysThatLookLikeReferencesAreKeys() {
    Map<String, String> params = Map.of("$ref", "$", "@type", "java.lang.String");

    assertThat(codec.decodeStrings(codec.encodeText(params))).isEqualTo(params);
  }

  @Test
  void valuesThatAreNoStringsAreNotMadeSo() {
    for (String json : List.of("{\"a\":1}", "{\"a\":null}", "{\"a\":{}}", "[]")) {
      assertThatThrownBy(() -> codec.decodeStrings(json))
          .isInstanceOfSatisfying(
              CodecException.class, e -> assertThat(e.fault()).isEqualTo(Fault.INVALID));
    }
  }

  @Test
  void whatIsNotJsonIsMalformed() {
    assertMalformed("{\"nodeGroup\":'g',\"taskId\":\"a\"}".getBytes(StandardCharsets.UTF_8));
    assertMalformed(new byte[0]);
    assertMalformed(new byte[] {'{', '"', (byte) 0xc0, (byte) 0x80, '"', ':', '1', '}'});
    assertMalformed(new byte[] {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'});
  }

  @Test
  void messageThatCannotBeWrittenIsRefusedByName() {
    RetryPolicy endless =
        new RetryPolicy(1, Duration.ZERO, Duration.ZERO, Double.NaN, 0, List.of());
    Job job = Job.builder("g", "a").retry(endless).build();

    assertThatThrownBy(() -> codec.encode(job))
        .isInstanceOf(CodecException.class)
        .hasMessage("Job: retry.multiplier is not a finite number");
    assertThatThrownBy(() -> codec.encode(new CancelRequest("g", null)))
        .isInstanceOf(CodecException.class)
        .hasMessage("CancelRequest: taskId is missing");
  }

  @Test
  void errorsDoNotRepeatWhatWasSent() {
    assertInvalid("{\"kind\":\"" + "k".repeat(1_000) + "\"}", Schedule.class)
        .hasMessage("Schedule: kind is not a known kind");
  }

  @Test
  void valueRefusedByItsRecordIsInvalid() {
    assertInvalid("{\"low\":3,\"high\":1}", Range.class)
        .hasMessage("Range: is invalid: low is above high");
  }

  @Test
  void emptyMessageIsAnEmptyObject() {
    assertThat(codec.encodeText(new CompleteRequest(List.of()))).isEqualTo("{\"results\":[]}");
  }

  private static String jobOfTheFormerVersion(String more) {
    return "{\"nodeGroup\":\"g\",\"taskId\":\"a\",\"schedule\":{\"kind\":\"cron\","
        + "\"expression\":\"@daily\"},\"params\":{},\"priority\":100,\"retry\":{"
        + "\"maxRetries\":1,\"firstDelay\":\"PT0S\",\"maxDelay\":\"PT0S\",\"multiplier\":1.0,"
        + "\"jitter\":0.0,\"nonRetryable\":[]},\"relyOnPrevCycle\":false,"
        + "\"replaceExisting\":false,\"feedback\":false"
        + more
        + "}";
  }

  private AbstractThrowableAssert<?, ?> assertInvalid(String json, Class<?> type) {
    return assertThatThrownBy(() -> codec.decodeText(json, type))
        .isInstanceOfSatisfying(
            CodecException.class, e -> assertThat(e.fault()).isEqualTo(Fault.INVALID));
  }

  private void assertMalformed(byte[] json) {
    assertThatThrownBy(() -> codec.decode(json, CancelRequest.class))
        .isInstanceOfSatisfying(
            CodecException.class, e -> assertThat(e.fault()).isEqualTo(Fault.MALFORMED));
  }

  record Range(int low, int high) {
    Range {
      if (low > high) {
        throw new IllegalArgumentException("low is above high");
      }
    }
  }
}
