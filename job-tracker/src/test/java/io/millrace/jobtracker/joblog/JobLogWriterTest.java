package io.millrace.jobtracker.joblog;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.model.Assignment;
import io.millrace.internal.model.LogLevel;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.LogLine;
import io.millrace.internal.protocol.LogReply;
import io.millrace.internal.protocol.LogRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.pipeline.PipelineFullException;
import io.millrace.jobtracker.quota.QuotaConfig;
import io.millrace.jobtracker.quota.StoreQuotas;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobLogWriterTest extends ServiceTest {
  private HandDrivenWorker worker;
  private FaultyTransactions transactions;
  private JobLogWriter writer;
  private StoreQuotas quotas;

  @BeforeEach
  void openWriter() {
    worker = tracker.worker("worker-1");
    transactions = new FaultyTransactions(stores.transactions());
    quotas =
        new StoreQuotas(
            stores.nodeGroups(),
            new QuotaConfig(4L << 30, 16L << 30, 4L << 30, 1L << 20, 1L << 30, 1L << 30));
    writer =
        new JobLogWriter(
            FaultyTransactions.around(stores, transactions), quotas, time.timedExecutor());
  }

  @Test
  void linesOfAnExecutionAreStoredInOrder() {
    long execution = start("close");

    assertThat(log(worker.peer(), line(execution, 1), line(execution, 2)).join())
        .isEqualTo(new LogReply(2));

    assertThat(stores.jobLog().read(execution, 0, 10))
        .containsExactly(line(execution, 1), line(execution, 2));
  }

  @Test
  void executionThatHasLoggedEnoughIsToldSoInItsLogAndLogsNoMore() {
    long execution = start("chatty");
    long other = start("quiet");
    for (int request = 0; request < 5; request++) {
      assertThat(log(worker.peer(), longLines(execution, request * 50)).isCompletedExceptionally())
          .isFalse();
    }

    List<LogLine> kept = stores.jobLog().read(execution, 0, 1_000);
    assertThat(kept).hasSize(132);
    assertThat(kept.get(131).text())
        .isEqualTo(
            "This execution has reached the limit of its log (1024 KiB,"
                + " job-log.max-bytes-of-execution); further lines are not stored.");
    assertThat(log(worker.peer(), line(other, 1)).join()).isEqualTo(new LogReply(1));
  }

  @Test
  void whatAnExecutionLoggedBeforeARestartCounts() {
    long execution = start("chatty");
    log(worker.peer(), longLines(execution, 0));
    log(worker.peer(), longLines(execution, 50));
    openWriter();

    log(worker.peer(), longLines(execution, 100));
    openWriter();
    log(worker.peer(), longLines(execution, 150));

    assertThat(stores.jobLog().read(execution, 0, 1_000)).hasSize(132);
  }

  @Test
  void jobLogsOfAllTogetherAreBounded() {
    long execution = start("last");
    assertThat(log(worker.peer(), line(execution, 1)).join()).isEqualTo(new LogReply(1));
    quotas.logged(QuotaConfig.DEFAULT.jobLogBytes());

    assertThat(log(worker.peer(), line(execution, 10)).join()).isEqualTo(new LogReply(0));
    assertThat(stores.jobLog().read(execution, 9, 10)).isEmpty();
  }

  private LogLine[] longLines(long execution, int after) {
    return IntStream.rangeClosed(after + 1, after + 50)
        .mapToObj(
            sequence ->
                new LogLine(execution, sequence, Instant.EPOCH, LogLevel.INFO, "z".repeat(8_000)))
        .toArray(LogLine[]::new);
  }

  @Test
  void linesThatAreSentAgainAreStoredOnce() {
    long execution = start("close");
    log(worker.peer(), line(execution, 1));

    log(worker.peer(), line(execution, 1), line(execution, 2));

    assertThat(stores.jobLog().read(execution, 0, 10)).hasSize(2);
  }

  /** LTS shared one logger among all threads, and lines went to the wrong job. */
  @Test
  void linesOfOneRequestGoToTheExecutionsTheyName() {
    long one = start("one");
    long two = start("two");

    log(worker.peer(), line(two, 1), line(one, 1), line(two, 2));

    assertThat(stores.jobLog().read(one, 0, 10)).containsExactly(line(one, 1));
    assertThat(stores.jobLog().read(two, 0, 10)).containsExactly(line(two, 1), line(two, 2));
  }

  @Test
  void linesThatArriveAfterTheEndStillCount() {
    tracker.submit(job("close").build());
    Assignment assignment = worker.takeOne();
    worker.succeed(assignment);

    assertThat(log(worker.peer(), line(assignment.executionId(), 1)).join())
        .isEqualTo(new LogReply(1));
  }

  /** The run goes on as a batch, and is in the ledger only after its last part. */
  @Test
  void linesOfAnAttemptThatSplitItsRunStillCountAfterItsEnd() {
    tracker.submit(job("index").build());
    Assignment run = worker.takeOne();
    worker.map(run, 2);
    long execution = run.executionId();
    Peer stranger = tracker.worker("worker-2").peer();

    assertThat(log(worker.peer(), line(execution, 1)).join()).isEqualTo(new LogReply(1));
    assertThat(log(stranger, line(execution, 2)).join()).isEqualTo(new LogReply(0));

    assertThat(stores.jobLog().read(execution, 0, 10)).containsExactly(line(execution, 1));
  }

  @Test
  void linesOfExecutionsThatAreNotTheWorkersOwnAreLeftOut() {
    long execution = start("close");
    Peer stranger = tracker.worker("worker-2").peer();

    assertThat(log(stranger, line(execution, 1), line(4_711, 1)).join()).isEqualTo(new LogReply(0));

    assertThat(stores.jobLog().read(execution, 0, 10)).isEmpty();
  }

  @Test
  void floodIsRefusedBeyondABound() {
    long execution = start("close");
    List<CompletableFuture<LogReply>> answers = new ArrayList<>();
    for (int i = 1; i <= 200; i++) {
      answers.add(writer.log(worker.peer(), new LogRequest(List.of(line(execution, i)))));
    }
    time.run();

    assertThat(answers.get(0)).isCompleted();
    assertThat(answers.get(199).handle((unused, failure) -> failure).join())
        .isInstanceOf(PipelineFullException.class);
  }

  /** In LTS a slow or broken log table held up sending and completing jobs. */
  @Test
  void logThatCannotBeStoredHoldsNothingElseUp() {
    tracker.submit(job("close").build());
    Assignment assignment = worker.takeOne();
    transactions.failAll(FaultyTransactions.Fault.UNREACHABLE);

    CompletableFuture<LogReply> answer = log(worker.peer(), line(assignment.executionId(), 1));

    assertThat(answer.handle((unused, failure) -> failure).join())
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(worker.succeed(assignment)).isEqualTo(CompletionStatus.ACCEPTED);
  }

  @Test
  void tooManyOrTooLongLinesAreABadRequest() {
    LogLine tooLong =
        new LogLine(1, 1, time.now(), LogLevel.INFO, "x".repeat(LogLine.MAX_TEXT_CHARS + 1));
    for (List<LogLine> lines :
        List.of(List.of(tooLong), Collections.nCopies(LogRequest.MAX_LINES + 1, line(1, 1)))) {
      Throwable failure =
          writer
              .log(worker.peer(), new LogRequest(lines))
              .handle((unused, thrown) -> thrown)
              .join();
      assertThat(((RpcException) failure).code()).isEqualTo(ErrorCode.BAD_REQUEST);
    }
  }

  private long start(String taskId) {
    tracker.submit(job(taskId).build());
    return worker.takeOne().executionId();
  }

  private CompletableFuture<LogReply> log(Peer peer, LogLine... lines) {
    CompletableFuture<LogReply> answer = writer.log(peer, new LogRequest(List.of(lines)));
    time.run();
    return answer;
  }

  private LogLine line(long execution, int sequence) {
    return new LogLine(
        execution, sequence, time.now(), LogLevel.INFO, "line " + sequence + " of " + execution);
  }
}
