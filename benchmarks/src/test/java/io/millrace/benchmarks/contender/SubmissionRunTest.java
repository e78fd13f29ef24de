package io.millrace.benchmarks.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.benchmarks.contender.SubmissionRun.Submitted;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SubmissionRunTest {
  private static final long LONG = 60_000;

  /** Takes jobs and remembers the calls. */
  private static class Taker implements Submitter {
    final ConcurrentLinkedQueue<List<BenchJob>> calls = new ConcurrentLinkedQueue<>();

    @Override
    public void submit(BenchJob job) throws Exception {
      submitAll(List.of(job));
    }

    @Override
    public void submitAll(List<BenchJob> jobs) throws Exception {
      calls.add(jobs);
    }

    @Override
    public String open(Place place) {
      return "";
    }

    @Override
    public void close() {}

    Set<BenchJob> jobs() {
      return calls.stream().flatMap(List::stream).collect(Collectors.toSet());
    }
  }

  @Test
  void everyJobIsSubmittedOnceInBatches() throws Exception {
    Taker taker = new Taker();

    Submitted submitted = SubmissionRun.run(taker, Submission.now(7, 105, 4, 10, LONG));

    assertThat(submitted.count()).isEqualTo(105);
    assertThat(taker.calls).hasSize(11).allMatch(call -> call.size() <= 10);
    assertThat(taker.calls.stream().flatMap(List::stream).map(BenchJob::number))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(7, 112).boxed().toList());
  }

  @Test
  void dueTimesAreRandomAndTheSameForEveryContender() throws Exception {
    Taker first = new Taker();
    Taker second = new Taker();
    Submission submission = Submission.now(0, 500, 4, 10, LONG).due(1_000_000, 200);

    Submitted unused = SubmissionRun.run(first, submission);
    unused = SubmissionRun.run(second, submission);

    assertThat(first.jobs()).isEqualTo(second.jobs());
    assertThat(first.jobs()).allMatch(job -> job.dueAt() >= 1_000_000 && job.dueAt() < 1_000_200);
    assertThat(first.jobs().stream().map(BenchJob::dueAt).distinct()).hasSizeGreaterThan(50);
  }

  @Test
  void afterItsTimeNoCallIsMade() throws Exception {
    Taker taker = new Taker();

    assertThat(SubmissionRun.run(taker, Submission.now(0, 100, 2, 10, 0)).count()).isZero();
    assertThat(taker.calls).isEmpty();
  }

  @Test
  void aCallThatFailsFailsTheWhole() {
    Submitter refusing =
        new Taker() {
          @Override
          public void submitAll(List<BenchJob> jobs) {
            throw new IllegalStateException("no room");
          }
        };

    assertThatThrownBy(() -> SubmissionRun.run(refusing, Submission.now(0, 1, 1, 2, LONG)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no room");
  }
}
