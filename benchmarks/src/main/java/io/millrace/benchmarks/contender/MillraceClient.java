package io.millrace.benchmarks.contender;

import io.millrace.common.model.Job;
import io.millrace.common.model.SubmitResult;
import io.millrace.common.model.SubmitStatus;
import io.millrace.jobclient.JobClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Millrace's client. */
final class MillraceClient implements Submitter {
  static final String PAYLOAD = "payload";

  private static final Duration CONNECT = Duration.ofSeconds(20);

  private @Nullable JobClient client;

  @Override
  public String open(Place place) {
    JobClient opened = JobClient.builder().trackers(place.url()).nodeName("bench").build();
    client = opened;
    opened.awaitConnected(CONNECT);
    return "";
  }

  @Override
  public void submit(BenchJob job) {
    requireAccepted(client().submit(job(job)));
  }

  @Override
  public void submitAll(List<BenchJob> jobs) {
    client()
        .submitAll(jobs.stream().map(MillraceClient::job).toList())
        .forEach(MillraceClient::requireAccepted);
  }

  private static Job job(BenchJob job) {
    return Job.builder(MillraceTables.GROUP, job.key())
        .at(Instant.ofEpochMilli(job.dueAt()))
        .param(PAYLOAD, job.payload())
        .build();
  }

  private static void requireAccepted(SubmitResult result) {
    if (result.status() != SubmitStatus.ACCEPTED) {
      throw new IllegalStateException("a job was not accepted: " + result);
    }
  }

  private JobClient client() {
    return Objects.requireNonNull(client, "is not open");
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
    client = null;
  }
}
