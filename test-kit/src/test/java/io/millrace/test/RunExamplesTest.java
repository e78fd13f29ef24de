package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.api.CancelResult;
import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.TriggerResult;
import io.millrace.jobclient.JobClient;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Retries, dead jobs, overlaps, missed fire times, cancels and time-outs. */
@MillraceTest
class RunExamplesTest {
  private static final RetryPolicy EXACT =
      new RetryPolicy(3, Duration.ofSeconds(10), Duration.ofMinutes(10), 2.0, 0, List.of());

  private static JobRunner failing(int times) {
    AtomicInteger calls = new AtomicInteger();
    return context -> {
      if (calls.incrementAndGet() <= times) {
        throw new IllegalStateException("the shop is closed");
      }
      return Result.success("closed " + context.param("orderId"));
    };
  }

  @Test
  void retriesWithGrowingDelays(TestMillrace millrace, JobClient client) {
    Instant start = millrace.now().toInstant();
    millrace.worker("orders", worker -> worker.handler("close", failing(2)));
    client.submit(
        Job.builder("orders", "close:42")
            .handler("close")
            .param("orderId", "42")
            .retry(EXACT)
            .build());

    millrace.runDue();
    millrace.runs("orders", "close:42").hasAttempts(1).hasRetried(0).hasSucceeded(0);

    millrace.advance(Duration.ofMinutes(5));
    JobRuns runs =
        millrace
            .runs("orders", "close:42")
            .hasRun(1)
            .hasAttempts(3)
            .hasRetried(2)
            .hasOutcomes(Outcome.EXCEPTION, Outcome.EXCEPTION, Outcome.SUCCESS)
            .hasSucceeded(1)
            .hasMessage("closed 42")
            .hasParam("orderId", "42");
    assertThat(runs.last().attempts())
        .extracting(JobAttempt::startedAt)
        .containsExactly(start, start.plusSeconds(10), start.plusSeconds(30));
  }

  record Receipt(long order, List<String> lines) {}

  @Test
  void returnsAResult(TestMillrace millrace, JobClient client) {
    Receipt receipt = new Receipt(42, List.of("tea", "milk"));
    millrace.worker("orders", worker -> worker.handler("close", context -> Result.of(receipt)));
    client.submit(Job.builder("orders", "close:42").handler("close").build());
    millrace.runDue();

    JobRuns runs = millrace.runs("orders", "close:42").hasResult(receipt);
    runs.hasResult(Map.of("lines", List.of("tea", "milk"), "order", 42));
    assertThat(runs.last().result()).isEqualTo("{\"order\":42,\"lines\":[\"tea\",\"milk\"]}");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> runs.hasResult(new Receipt(43, List.of())))
        .withMessageContaining("expected the result {\"order\":43,\"lines\":[]}")
        .withMessageContaining("SUCCESS at")
        .withMessageContaining("result {\"order\":42");
  }

  @Test
  void runWithoutAResultHasNone(TestMillrace millrace, JobClient client) {
    millrace.worker("orders", worker -> worker.runner(context -> Result.success("42")));
    client.submit(Job.builder("orders", "close:42").build());
    millrace.runDue();

    JobRuns runs = millrace.runs("orders", "close:42").hasSucceeded(1);
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> runs.hasResult(42))
        .withMessageContaining("but it is null");
  }

  @Test
  void stepsAreNotRepeatedByRetries(TestMillrace millrace, JobClient client) {
    AtomicInteger charges = new AtomicInteger();
    AtomicInteger mails = new AtomicInteger();
    millrace.worker(
        "orders",
        worker ->
            worker.runner(
                context -> {
                  int charged = context.step("charge", Integer.class, charges::incrementAndGet);
                  context.checkpoint(mails.incrementAndGet());
                  if (mails.get() < 3) {
                    throw new IllegalStateException("no mail");
                  }
                  return Result.of(charged);
                }));
    client.submit(Job.builder("orders", "close:42").retry(EXACT).build());

    millrace.advance(Duration.ofMinutes(5));

    millrace.runs("orders", "close:42").hasAttempts(3).hasSucceeded(1).hasResult(1);
    assertThat(charges).hasValue(1);
  }

  @Test
  void deadAfterAllAttempts(TestMillrace millrace, JobClient client) {
    millrace.worker("orders", worker -> worker.runner(failing(Integer.MAX_VALUE)));
    client.submit(Job.builder("orders", "close:42").retry(1).build());

    millrace.advance(Duration.ofMinutes(1));

    JobRuns runs = millrace.runs("orders", "close:42").hasDied(1).hasAttempts(2).hasSucceeded(0);
    assertThat(runs.last().message()).contains("the shop is closed");
    assertThat(runs.toString()).contains("DEAD", "attempt 2 on worker-1", "EXCEPTION");
  }

  @Test
  void finalFailuresAndPostponedRuns(TestMillrace millrace, JobClient client) {
    AtomicInteger calls = new AtomicInteger();
    millrace.worker(
        "orders",
        worker ->
            worker
                .handler("fails", context -> Result.failed("no such order"))
                .handler(
                    "waits",
                    context ->
                        calls.incrementAndGet() < 3
                            ? Result.later(Duration.ofHours(6))
                            : Result.success()));
    client.submit(Job.builder("orders", "a").handler("fails").build());
    client.submit(Job.builder("orders", "b").handler("waits").build());

    millrace.advance(Duration.ofDays(1));

    millrace.runs("orders", "a").hasFailed(1).hasAttempts(1).hasMessage("no such order");
    millrace.runs("orders", "b").hasRun(1).hasAttempts(3).hasRetried(0).hasSucceeded(1);
  }

  private static JobRunner working(TestMillrace millrace, Duration time) {
    return context -> {
      millrace.work(time);
      return Result.success();
    };
  }

  @Test
  void overlappingRunsAreSkippedOrQueued(TestMillrace millrace, JobClient client) {
    millrace.worker("orders", worker -> worker.runner(working(millrace, Duration.ofMinutes(90))));
    client.submit(Job.builder("orders", "skips").cron("0 0 9 * * ?").build());
    client.submit(
        Job.builder("orders", "skips-often")
            .cron("0 0 12-14 * * ?")
            .overlap(OverlapPolicy.skip())
            .build());
    client.submit(
        Job.builder("orders", "queues")
            .cron("0 0 20-21 * * ?")
            .overlap(OverlapPolicy.queue(1))
            .build());

    millrace.advance(Duration.ofHours(15));

    millrace.runs("orders", "skips").hasRun(1);
    millrace.runs("orders", "skips-often").hasRun(2).hasBeenSkipped(1);
    JobRuns queued = millrace.runs("orders", "queues").hasRun(2).hasSucceeded(2);
    assertThat(queued.list().get(1).attempts().get(0).startedAt())
        .isEqualTo(queued.list().get(0).attempts().get(0).finishedAt());
  }

  @Test
  void outageIsCaughtUpAsThePolicySays(TestMillrace millrace, JobClient client) {
    client.submit(Job.builder("orders", "latest").cron("0 0/10 * * * ?").build());
    client.submit(
        Job.builder("orders", "all")
            .cron("0 0/10 * * * ?")
            .misfire(MisfirePolicy.all().within(Duration.ofDays(1)))
            .build());
    client.submit(
        Job.builder("orders", "none").cron("0 5 * * * ?").misfire(MisfirePolicy.none()).build());
    millrace.advance(Duration.ofHours(2).plusMinutes(9));
    millrace.runs("orders", "latest").hasNotRun();

    millrace.worker("orders", worker -> worker.runner(context -> Result.success()));
    millrace.runDue();

    millrace.runs("orders", "latest").hasRun(1);
    millrace.runs("orders", "all").hasRun(13).hasSucceeded(13);
    millrace.runs("orders", "none").hasNotRun().hasBeenSkipped(3);
  }

  @Test
  void cancelledJobsDoNotRun(TestMillrace millrace, JobClient client) {
    millrace.worker("orders", worker -> worker.runner(context -> Result.success()));
    client.submit(Job.builder("orders", "close:42").after(Duration.ofMinutes(30)).build());
    millrace.advance(Duration.ofMinutes(29));

    CancelResult cancelled = client.cancel("orders", "close:42");
    millrace.advance(Duration.ofDays(1));

    assertThat(cancelled.cancelledTriggers()).isOne();
    millrace.runs("orders", "close:42").hasNotRun().hasBeenCancelled(1);
  }

  @Test
  void handlerIsAskedToStopAfterACancel(TestMillrace millrace, JobClient client) {
    List<Instant> stopped = new ArrayList<>();
    millrace.worker(
        "orders",
        worker ->
            worker.runner(
                context -> {
                  client.cancel("orders", "close:42");
                  while (!context.isStopRequested()) {
                    millrace.work(Duration.ofSeconds(1));
                  }
                  stopped.add(millrace.now().toInstant());
                  throw new IllegalStateException("stopped");
                }));
    client.submit(Job.builder("orders", "close:42").build());

    millrace.advance(Duration.ofMinutes(1));

    assertThat(stopped).hasSize(1);
    millrace.runs("orders", "close:42").hasBeenCancelled(1).hasAttempts(1);
  }

  @Test
  void timeOutInterruptsTheHandlerAtItsInstant(TestMillrace millrace, JobClient client) {
    Instant start = millrace.now().toInstant();
    List<Instant> interrupted = new ArrayList<>();
    millrace.worker(
        "orders",
        worker ->
            worker.runner(
                context -> {
                  try {
                    millrace.work(Duration.ofHours(1));
                  } catch (InterruptedException timeOut) {
                    interrupted.add(millrace.now().toInstant());
                    throw timeOut;
                  }
                  return Result.success();
                }));
    client.submit(
        Job.builder("orders", "slow").timeout(Duration.ofMinutes(10)).retry(EXACT).build());

    millrace.advance(Duration.ofMinutes(15));

    assertThat(interrupted).startsWith(start.plus(Duration.ofMinutes(10)));
    millrace.runs("orders", "slow").hasOutcomes(Outcome.TIMED_OUT, Outcome.TIMED_OUT);
  }

  @Test
  void nodeGroupsHaveTheirOwnWorkers(TestMillrace millrace, JobClient client) {
    List<String> ran = new ArrayList<>();
    millrace.worker("orders", worker -> worker.runner(context -> note(ran, "orders", context)));
    millrace.worker("billing", worker -> worker.runner(context -> note(ran, "billing", context)));
    client.submit(Job.builder("billing", "same").build());
    client.submit(Job.builder("orders", "same").build());

    millrace.runDue();

    assertThat(ran).containsExactlyInAnyOrder("orders/same", "billing/same");
    millrace.runs("orders", "same").hasRun(1);
    millrace.runs("billing", "same").hasRun(1);
  }

  private static Result note(
      List<String> ran, String group, io.millrace.tasktracker.JobContext context) {
    ran.add(group + "/" + context.taskId());
    return Result.success();
  }

  @Test
  void handlersSubmitJobsAndListenersAreTold(TestMillrace millrace) throws Exception {
    JobClient shop = millrace.client("shop");
    List<TriggerResult> told = new CopyOnWriteArrayList<>();
    shop.onResult(told::add);
    millrace.worker(
        "orders",
        worker ->
            worker
                .handler(
                    "first",
                    context -> {
                      shop.submit(
                          Job.builder("orders", "second").handler("second").feedback(true).build());
                      return Result.success();
                    })
                .handler("second", context -> Result.success("done")));
    shop.submitAsync(Job.builder("orders", "first").handler("first").build()).get();

    millrace.runDue();

    millrace.runs("orders", "second").hasSucceeded(1);
    assertThat(told).hasSize(1);
  }

  @Test
  void taskIdUsedAgainIsAnotherRun(TestMillrace millrace, JobClient client) {
    millrace.worker("orders", worker -> worker.runner(context -> Result.success()));
    client.submit(Job.builder("orders", "close:42").build());
    millrace.runDue();
    client.submit(Job.builder("orders", "close:42").build());
    millrace.runDue();

    millrace.runs("orders", "close:42").hasRun(2).hasAttempts(2);
  }

  @Test
  void runNowIsARunOfItsOwn(TestMillrace millrace, JobClient client) {
    millrace.worker("orders", worker -> worker.runner(context -> Result.success()));
    client.submit(Job.builder("orders", "nightly").cron("0 0 2 * * ?").build());
    client.runNow("orders", "nightly");

    millrace.runDue();

    JobRun run = millrace.runs("orders", "nightly").hasRun(1).last();
    assertThat(run.plannedFor()).isEqualTo(millrace.now().toInstant());
    assertThat(run.disposition()).isEqualTo(Disposition.SUCCEEDED);
  }

  @Test
  void jobsOfOneInstantRunByPriority(TestMillrace millrace, JobClient client) {
    List<String> order = new ArrayList<>();
    Instant noon = millrace.now().withHour(12).toInstant();
    client.submit(Job.builder("orders", "last").at(noon).priority(200).build());
    client.submit(Job.builder("orders", "first").at(noon).priority(1).build());
    client.submit(Job.builder("orders", "middle").at(noon).build());
    millrace.worker(
        "orders",
        worker ->
            worker
                .slots(1)
                .prefetch(0)
                .runner(
                    context -> {
                      order.add(context.taskId());
                      return Result.success();
                    }));

    millrace.advanceTo(noon);

    assertThat(order).containsExactly("first", "middle", "last");
  }
}
