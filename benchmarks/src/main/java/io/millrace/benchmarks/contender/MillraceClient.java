package io.millrace.benchmarks.contender;

import io.millrace.api.Job;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.benchmarks.measure.WallClock;
import io.millrace.jobclient.JobClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Millrace's client, which is given the addresses of trackers, separated by commas. */
final class MillraceClient implements Submitter, EverySecond, Daily {
  static final String PAYLOAD = "payload";

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** The time before the first of the jobs that run every second may be due. */
  private static final Duration LEAD = Duration.ofSeconds(2);

  /** The number of recurring jobs in one call; each is stored with its first triggers. */
  private static final int RECURRING_BATCH = 250;

  private static final Duration CONNECT = Duration.ofSeconds(20);

  private @Nullable JobClient client;
  private int groups = 1;

  @Override
  public String open(Place place) {
    JobClient opened =
        JobClient.builder().trackers(place.url().split(",")).nodeName("bench").build();
    client = opened;
    groups = place.groups();
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
        .submitAll(jobs.stream().map(this::job).toList())
        .forEach(MillraceClient::requireAccepted);
  }

  @Override
  public void submitEverySecond(int jobs) {
    Instant first = Instant.ofEpochMilli(WallClock.millis()).plus(LEAD);
    for (int from = 0; from < jobs; from += RECURRING_BATCH) {
      client()
          .submitAll(
              IntStream.range(from, Math.min(jobs, from + RECURRING_BATCH))
                  .mapToObj(
                      i ->
                          Job.builder(MillraceTables.GROUP, "second-" + i)
                              .every(SECOND)
                              .at(first.plus(SECOND.multipliedBy(i).dividedBy(jobs)))
                              .overlap(OverlapPolicy.allow())
                              .build())
                  .toList())
          .forEach(MillraceClient::requireAccepted);
    }
  }

  @Override
  public void submitDaily(int jobs) {
    client()
        .submitAll(
            IntStream.range(0, jobs)
                .mapToObj(
                    i ->
                        Job.builder(MillraceTables.GROUP, Daily.key(i))
                            .cron(Daily.expression(i))
                            .build())
                .toList())
        .forEach(MillraceClient::requireAccepted);
  }

  private Job job(BenchJob job) {
    return Job.builder(MillraceTables.group(job.number() % groups), job.key())
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
