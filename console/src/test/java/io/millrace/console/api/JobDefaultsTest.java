package io.millrace.console.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.WorkerLossPolicy;
import io.millrace.console.api.job.NewJob;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.codec.UnknownNames;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is left out means the same in the builder, on the wire and over HTTP, field by field. */
class JobDefaultsTest {
  private static final JsonCodec WIRE = new JsonCodec();
  private static final JsonCodec HTTP = new JsonCodec(UnknownNames.REFUSED);
  private static final RetryPolicy RETRY = RetryPolicy.DEFAULT;

  /** What all three say of a job: the builder, the wire's JSON, and that of the API. */
  static Stream<Arguments> jobs() {
    return Stream.of(
        Arguments.of(job(), "", ""),
        Arguments.of(job().retry(7), "'retry':{'maxRetries':7}", "'retry':{'maxRetries':7}"),
        Arguments.of(
            job().retry(RETRY.withDelays(Duration.ofSeconds(9), RETRY.maxDelay())),
            "'retry':{'firstDelay':'PT9S'}",
            "'retry':{'firstDelay':'PT9S'}"),
        Arguments.of(job(), "'retry':{}", "'retry':{}"),
        Arguments.of(job().shards(8), "'shards':8", "'shards':8"),
        Arguments.of(job().broadcast(), "'broadcast':true", "'broadcast':true"),
        Arguments.of(
            job().broadcast().onWorkerLost(WorkerLossPolicy.DEAD),
            "'broadcast':true,'onWorkerLost':'DEAD'",
            "'broadcast':true,'onWorkerLost':'DEAD'"),
        Arguments.of(
            job().reduce("sum").onPartFailure(PartFailurePolicy.STOP).within(Duration.ofHours(2)),
            "'reduce':'sum','onPartFailure':'STOP','within':'PT2H'",
            "'reduce':'sum','onPartFailure':'STOP','within':'PT2H'"),
        Arguments.of(
            recurring().misfire(MisfirePolicy.all()),
            "'schedule':{'kind':'repeat','interval':'PT1H'},'misfire':{'kind':'ALL'}",
            EVERY + ",'misfire':{'kind':'ALL'}"),
        Arguments.of(
            recurring().misfire(MisfirePolicy.none()),
            "'schedule':{'kind':'repeat','interval':'PT1H'},'misfire':{'kind':'NONE'}",
            EVERY + ",'misfire':{'kind':'NONE'}"));
  }

  private static final String EVERY = "'schedule':{'every':'PT1H'}";

  private static Job.Builder job() {
    return Job.builder("orders", "close");
  }

  private static Job.Builder recurring() {
    return job().every(Duration.ofHours(1));
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void whatIsLeftOutMeansTheSameEverywhere(Job.Builder built, String wire, String http) {
    Map<String, @Nullable Object> expected = fields(built.build());

    assertThat(fields(onTheWire(wire))).isEqualTo(expected);
    assertThat(fields(overHttp(http))).isEqualTo(expected);
  }

  @Test
  void jobOfWhichNothingIsSaidIsTheBuildersOwn() {
    assertThat(fields(Job.DEFAULTS)).isEqualTo(fields(Job.builder("", "").build()));
    assertThat(Job.DEFAULTS.priority()).isEqualTo(Job.DEFAULT_PRIORITY);
    assertThat(Job.DEFAULTS.retry()).isEqualTo(RetryPolicy.DEFAULT);
  }

  private static Job onTheWire(String more) {
    return WIRE.decodeText(json("'nodeGroup':'orders','taskId':'close'", more), Job.class);
  }

  private static Job overHttp(String more) {
    return HTTP.decodeText(json("'nodeGroup':'orders','taskId':'close'", more), NewJob.class)
        .toJob(null);
  }

  private static String json(String key, String more) {
    String separator = key.isEmpty() || more.isEmpty() ? "" : ",";
    return ("{" + key + separator + more + "}").replace('\'', '"');
  }

  private static Map<String, @Nullable Object> fields(Job job) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    for (RecordComponent component : Job.class.getRecordComponents()) {
      try {
        fields.put(component.getName(), component.getAccessor().invoke(job));
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
    return fields;
  }
}
