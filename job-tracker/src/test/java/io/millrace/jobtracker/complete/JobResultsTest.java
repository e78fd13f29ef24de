package io.millrace.jobtracker.complete;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.values.JsonText;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.Feedback;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a job returned is stored with its end, whoever wrote the worker. */
class JobResultsTest extends ServiceTest {
  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  private ExecutionResult report(long executionId, Outcome outcome, @Nullable String result) {
    return new ExecutionResult(
        executionId, outcome, "said", null, List.of(), time.now(), time.now(), result, false);
  }

  private Map<Long, String> results(String taskId) {
    return stores.results().find(ledger(taskId).stream().map(row -> row.id()).toList());
  }

  @Test
  void resultIsStoredOnceWithTheEndThatItBelongsTo() {
    tracker.submit(job("close").feedback(true).build());
    Assignment assignment = worker.takeOne();
    ExecutionResult report = report(assignment.executionId(), Outcome.SUCCESS, "{\"a\":\"🌾\"}");

    assertThat(worker.report(report)).isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(worker.report(report)).as("again").isEqualTo(CompletionStatus.ACCEPTED);

    assertThat(ends("close")).containsExactly("SUCCEEDED");
    assertThat(results("close")).isEqualTo(Map.of(assignment.executionId(), "{\"a\":\"🌾\"}"));
    assertThat(stores.feedback().read("shop", Long.MIN_VALUE, 10))
        .extracting(Feedback::executionId)
        .containsExactly(assignment.executionId());
  }

  @Test
  void endWithoutAResultStoresNone() {
    tracker.submit(job("close").feedback(true).build());
    Assignment assignment = worker.takeOne();
    worker.report(report(assignment.executionId(), Outcome.SUCCESS, null));

    assertThat(results("close")).isEmpty();
    assertThat(stores.feedback().read("shop", Long.MIN_VALUE, 10))
        .extracting(Feedback::executionId)
        .containsExactly((Long) null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "nothing", "{\"a\":1,\"a\":2}", "[1]]", "\"\\x41\"", "'a'"})
  void resultOfAForeignWorkerThatIsNoJsonIsFailedAndNotRetried(String bad) {
    tracker.submit(job("close").retry(RetryPolicy.retries(5)).build());
    Assignment assignment = worker.takeOne();

    assertThat(worker.report(report(assignment.executionId(), Outcome.SUCCESS, bad)))
        .isEqualTo(CompletionStatus.ACCEPTED);

    assertThat(ends("close")).containsExactly("FAILED");
    assertThat(ledger("close").get(0).message())
        .startsWith("the worker reported success with a result that cannot be stored: it ")
        .endsWith("\nsaid");
    assertThat(results("close")).isEmpty();
    assertThat(waiting("close")).isEmpty();
  }

  @Test
  void resultThatIsTooLargeIsFailedAndSaysHowLarge() {
    tracker.submit(job("most").build(), job("more").build());
    String most = "\"" + "ü".repeat(JsonText.MAX_BYTES / 2 - 1) + "\"";
    for (Assignment assignment : worker.take(2)) {
      String result = assignment.taskId().equals("most") ? most : most + " ";
      worker.report(report(assignment.executionId(), Outcome.SUCCESS, result));
    }

    assertThat(results("most")).containsValue(most);
    assertThat(ends("more")).containsExactly("FAILED");
    assertThat(ledger("more").get(0).message())
        .contains("it has 65537 bytes of UTF-8; at most 65536 are allowed");
  }

  @Test
  void damagedResultsAreStoredOrFailedAndNeverHeldBack() {
    String good = "{\"rows\":[1,2.5,true,null,\"text\"],\"deep\":{\"a\":{\"b\":[[[]]]}}}";
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      tracker.submit(job("close-" + i).build());
      StringBuilder damaged = new StringBuilder(good);
      damaged.setCharAt(random.nextInt(good.length()), (char) random.nextInt(0x3000));
      Assignment assignment = worker.takeOne();

      assertThat(
              worker.report(report(assignment.executionId(), Outcome.SUCCESS, damaged.toString())))
          .isEqualTo(CompletionStatus.ACCEPTED);
      boolean isJson = JsonText.isJson(damaged.toString());
      assertThat(ends("close-" + i)).containsExactly(isJson ? "SUCCEEDED" : "FAILED");
      assertThat(results("close-" + i)).hasSize(isJson ? 1 : 0);
    }
  }

  @Test
  void resultWithAnyOtherOutcomeIsPassedOver() {
    tracker.submit(job("close").retry(RetryPolicy.NONE).build());
    worker.report(report(worker.takeOne().executionId(), Outcome.EXCEPTION, "{"));

    assertThat(ends("close")).containsExactly("DEAD");
    assertThat(results("close")).isEmpty();
  }

  @Test
  void manyLargeResultsInOneReportAreStoredInSeveralTransactions() {
    String large = "\"" + "x".repeat(60_000) + "\"";
    for (int i = 0; i < 100; i++) {
      tracker.submit(job("close-" + i).build());
    }
    List<ExecutionResult> reports = new ArrayList<>();
    worker
        .take(100)
        .forEach(each -> reports.add(report(each.executionId(), Outcome.SUCCESS, large)));

    assertThat(worker.reportAll(reports.toArray(ExecutionResult[]::new)))
        .hasSize(100)
        .containsOnly(CompletionStatus.ACCEPTED);
    assertThat(stores.results().sizes(reports.stream().map(ExecutionResult::executionId).toList()))
        .hasSize(100)
        .containsValue(60_002);
  }

  @Test
  void resultThatFindsNoRoomIsFailedAndSaysWhy() {
    String large = "\"" + "x".repeat(60_000) + "\"";
    long most = HandDrivenTracker.QUOTAS.resultBytes() / large.length() + 1;
    for (int i = 0; i < most; i++) {
      succeed("close-" + i, large);
    }

    succeed("more", "1");
    succeed("nothing", null);

    assertThat(ends("close-0")).containsExactly("SUCCEEDED");
    assertThat(ends("more")).containsExactly("FAILED");
    assertThat(ledger("more").get(0).message())
        .isEqualTo(
            "the worker reported success with a result that cannot be stored: the results of jobs"
                + " have 8 MiB, which is the limit (results.max-bytes)\nsaid");
    assertThat(results("more")).isEmpty();
    assertThat(ends("nothing")).containsExactly("SUCCEEDED");
  }

  private void succeed(String taskId, @Nullable String result) {
    tracker.submit(job(taskId).build());
    Assignment assignment = worker.takeOne();
    assertThat(worker.report(report(assignment.executionId(), Outcome.SUCCESS, result)))
        .isEqualTo(CompletionStatus.ACCEPTED);
  }

  @Test
  void terminatedExecutionThatStillSucceedsKeepsItsResult() {
    tracker.submit(job("close").build());
    Assignment assignment = worker.takeOne();
    tracker.terminate("close", assignment.executionId());
    worker.report(report(assignment.executionId(), Outcome.SUCCESS, "1"));

    assertThat(results("close")).containsValue("1");
  }

  @Test
  void exceptionThatAllowsNoRetryEndsTheTriggerDeadAtOnce() {
    tracker.submit(job("close").retry(RetryPolicy.retries(5)).build());
    Assignment assignment = worker.takeOne();
    worker.report(
        new ExecutionResult(
            assignment.executionId(),
            Outcome.EXCEPTION,
            "the parameter does not fit",
            null,
            List.of("io.millrace.api.ParameterException"),
            time.now(),
            time.now(),
            null,
            true));

    assertThat(ends("close")).containsExactly("DEAD");
    assertThat(ledger("close").get(0).cause()).isEqualTo(Cause.of(CauseCode.NOT_RETRYABLE_BY_JOB));
    assertThat(dead("close")).hasSize(1);
    time.pass(Duration.ofMinutes(10));
    assertThat(worker.take(1)).isEmpty();
  }
}
