package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.jobclient.JobClient;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.PartResult;
import io.millrace.tasktracker.Result;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Runs that their handlers split into parts, with worker and tracker. */
@MillraceTest
class MapExamplesTest {
  private final Set<Integer> done = ConcurrentHashMap.newKeySet();
  private final AtomicInteger reduces = new AtomicInteger();

  /** Makes parts with the numbers from 1. */
  private static JobRunner mapping(int parts) {
    return context -> {
      context.map("one", numbers(1, parts));
      return Result.success();
    };
  }

  private static List<Map<String, Integer>> numbers(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(n -> Map.of("n", n)).toList();
  }

  private Result one(int number) {
    done.add(number);
    return Result.of(number);
  }

  private final JobRunner sum =
      context -> {
        reduces.incrementAndGet();
        long sum = 0;
        for (PartResult part : context.parts()) {
          sum += part.result(Long.class).orElse(0L);
        }
        return Result.of(sum);
      };

  private void start(TestMillrace millrace, JobRunner all) {
    start(millrace, all, context -> one(context.param("n", Integer.class)));
  }

  private void start(TestMillrace millrace, JobRunner all, JobRunner one) {
    millrace.worker(
        "orders", worker -> worker.handler("all", all).handler("one", one).handler("sum", sum));
  }

  private static Job.Builder job() {
    return Job.builder("orders", "close").handler("all");
  }

  @Test
  void partsRunAndTheReduceReadsTheirResults(TestMillrace millrace, JobClient client) {
    start(
        millrace,
        context -> {
          context.map("one", numbers(1, 1_200));
          context.map("one", numbers(1_201, 1_500));
          assertThat(done).as("none runs before the success").isEmpty();
          return Result.success();
        });
    var submitted = client.submit(job().reduce("sum").build());

    millrace.runDue();

    var end = client.await(submitted, Duration.ofSeconds(5));
    assertThat(end.disposition()).isEqualTo(Disposition.SUCCEEDED);
    assertThat(end.result(Long.class)).contains(1_125_750L);
    assertThat(done).hasSize(1_500);
    assertThat(reduces).hasValue(1);
  }

  @Test
  void mapOfNothingGoesOnToItsReduce(TestMillrace millrace, JobClient client) {
    start(millrace, mapping(0));
    var submitted = client.submit(job().reduce("sum").build());

    millrace.runDue();

    var end = client.await(submitted, Duration.ofSeconds(5));
    assertThat(end.disposition()).isEqualTo(Disposition.SUCCEEDED);
    assertThat(end.result(Long.class)).contains(0L);
  }

  @Test
  void attemptThatFailsAfterItsMapLeavesNothingBehind(TestMillrace millrace, JobClient client) {
    AtomicInteger attempts = new AtomicInteger();
    start(
        millrace,
        context -> {
          if (attempts.incrementAndGet() == 1) {
            context.map("one", numbers(101, 200));
            throw new IllegalStateException("half-way");
          }
          context.map("one", numbers(1, 3));
          return Result.success();
        });
    var submitted = client.submit(job().reduce("sum").build());

    millrace.advance(Duration.ofMinutes(5));

    assertThat(client.await(submitted, Duration.ofSeconds(5)).result(Long.class)).contains(6L);
    assertThat(done).containsExactlyInAnyOrder(1, 2, 3);
  }

  @Test
  void failedPartEndsTheRunWithoutItsReduceUnlessItIsIgnored(
      TestMillrace millrace, JobClient client) {
    start(
        millrace,
        mapping(5),
        context -> {
          int number = context.param("n", Integer.class);
          return number == 2 ? Result.failed("no stock") : one(number);
        });
    var finish = client.submit(job().reduce("sum").build());
    millrace.runDue();
    assertThat(client.await(finish, Duration.ofSeconds(5)).disposition())
        .isEqualTo(Disposition.FAILED);
    assertThat(done).containsExactlyInAnyOrder(1, 3, 4, 5);
    assertThat(reduces).hasValue(0);

    var ignore = client.submit(job().reduce("sum").onPartFailure(PartFailurePolicy.IGNORE).build());
    millrace.runDue();
    assertThat(client.await(ignore, Duration.ofSeconds(5)).result(Long.class)).contains(13L);
  }

  @Test
  void partIsRetriedByItself(TestMillrace millrace, JobClient client) {
    AtomicInteger calls = new AtomicInteger();
    start(
        millrace,
        mapping(3),
        context -> {
          int number = context.param("n", Integer.class);
          assertThat(context.part()).isEqualTo(number);
          if (number == 2 && calls.incrementAndGet() == 1) {
            throw new IllegalStateException("busy");
          }
          return one(number);
        });
    var submitted = client.submit(job().reduce("sum").retry(RetryPolicy.retries(1)).build());

    millrace.advance(Duration.ofMinutes(5));

    assertThat(client.await(submitted, Duration.ofSeconds(5)).result(Long.class)).contains(6L);
    assertThat(calls).hasValue(2);
  }

  @Test
  void partThatSplitsHasTheResultOfItsOwnReduce(TestMillrace millrace, JobClient client) {
    start(
        millrace,
        context -> {
          int level = context.optionalParam("level", Integer.class).orElse(0);
          if (level == 2) {
            return one(done.size() + 1);
          }
          context.map(List.of(Map.of("level", level + 1), Map.of("level", level + 1)));
          return Result.success();
        });
    var submitted = client.submit(job().reduce("sum").build());

    millrace.runDue();

    assertThat(client.await(submitted, Duration.ofSeconds(5)).result(Long.class)).contains(10L);
    assertThat(done).containsExactlyInAnyOrder(1, 2, 3, 4);
    assertThat(reduces).as("of the run and of its two parts").hasValue(3);
  }

  @Test
  void reduceRunsAfterShardsToo(TestMillrace millrace, JobClient client) {
    start(millrace, context -> Result.of(context.shard().index()));
    var submitted = client.submit(job().shards(5).reduce("sum").build());

    millrace.runDue();

    assertThat(client.await(submitted, Duration.ofSeconds(5)).result(Long.class)).contains(10L);
  }

  @Test
  void eachLoopOverThePartsBeginsAnew(TestMillrace millrace, JobClient client) {
    millrace.worker(
        "orders",
        worker ->
            worker
                .handler("all", mapping(3))
                .handler("one", context -> one(context.part()))
                .handler(
                    "count",
                    context ->
                        Result.of(
                            StreamSupport.stream(context.parts().spliterator(), false).count()
                                + StreamSupport.stream(context.parts().spliterator(), false)
                                    .count())));
    var submitted = client.submit(job().reduce("count").build());

    millrace.runDue();

    assertThat(client.await(submitted, Duration.ofSeconds(5)).result(Long.class)).contains(6L);
  }
}
