package io.millrace.jobclient.internal.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.jobclient.internal.request.SubmissionIds;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class EncodedSizeTest {
  private static final String SUBMISSION_ID = "0".repeat(SubmissionIds.LENGTH);

  private final JsonCodec codec = new JsonCodec();

  @Property(tries = 500)
  void neverLessThanWhatTheCodecWrites(
      @ForAll String group, @ForAll String taskId, @ForAll Map<String, String> params) {
    assertCovered(
        Job.builder(group, taskId)
            .params(params)
            .handler(taskId)
            .traceParent(group)
            .traceState(taskId)
            .build());
  }

  @Test
  void coversTheLongestFixedParts() {
    RetryPolicy retry =
        new RetryPolicy(
            Integer.MIN_VALUE,
            Duration.ofSeconds(Long.MIN_VALUE, 1),
            Duration.ofSeconds(Long.MIN_VALUE, 1),
            -Double.MIN_NORMAL,
            -Double.MIN_NORMAL,
            List.of("a".repeat(2_000), "b"));
    assertCovered(
        Job.builder("g", "t")
            .cron("0 0/5 * * * ?", ZoneId.of("America/Argentina/ComodRivadavia"))
            .at(Instant.MIN)
            .until(Instant.MIN)
            .overlap(OverlapPolicy.queue(Integer.MIN_VALUE))
            .misfire(
                MisfirePolicy.latest()
                    .within(Duration.ofSeconds(Long.MIN_VALUE, 1))
                    .atMost(Integer.MIN_VALUE))
            .retry(retry)
            .priority(Integer.MIN_VALUE)
            .traceParent("")
            .build());
    assertCovered(
        Job.builder("g", "t")
            .every(Duration.ofSeconds(Long.MIN_VALUE, 1))
            .at(Instant.MIN)
            .times(Long.MIN_VALUE)
            .retry(retry)
            .build());
  }

  @Test
  void staysCloseForPlainText() {
    String body = "x".repeat(100_000);
    Job job = Job.builder("g", "t").param("body", body).build();

    assertThat(EncodedSize.of(job)).isLessThan(102_000);
  }

  private void assertCovered(Job job) {
    int written = codec.encode(new JobSubmission(SUBMISSION_ID, job)).length;

    assertThat(EncodedSize.of(job)).isGreaterThanOrEqualTo(written + 1);
  }
}
