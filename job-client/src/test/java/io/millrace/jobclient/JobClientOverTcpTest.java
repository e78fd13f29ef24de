package io.millrace.jobclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.api.SubmitResult;
import io.millrace.api.TriggerResult;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.FeedbackRequest;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.SubmitReply;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.Token;
import io.millrace.internal.rpc.netty.NettyRpcServer;
import io.millrace.internal.time.SystemClock;
import io.millrace.internal.time.WheelTimer;
import io.millrace.jobclient.fake.Answers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client as applications build it, with threads and a network of its own. */
@Timeout(60)
class JobClientOverTcpTest {
  private static final String TOKEN = "client-token-of-the-tests";

  private final WheelTimer timer = new WheelTimer("tcp-test-wheel");
  private final NettyRpcServer server =
      new NettyRpcServer(
          RpcServerConfig.onLoopback(0)
              .withTokens(new RoleTokens(Token.of(TOKEN), Token.of("worker-token-of-the-tests"))),
          "tracker-1",
          timer,
          new SystemClock(),
          1);
  private final LinkedBlockingQueue<Session> sessions = new LinkedBlockingQueue<>();
  private final String address = server.start(JobClientOverTcpTest::answer, sessions::add);

  @AfterEach
  void close() {
    server.close();
    timer.close();
  }

  @Test
  void submitsManyJobsAndHearsFeedback() throws Exception {
    LinkedBlockingQueue<TriggerResult> heard = new LinkedBlockingQueue<>();
    try (JobClient client = builder().token(TOKEN).build()) {
      client.onResult(heard::add);
      List<Job> jobs =
          IntStream.range(0, 3_000)
              .mapToObj(
                  i -> Job.builder("orders", "t" + i).param("body", "x".repeat(2_000)).build())
              .toList();

      List<SubmitResult> results = client.submitAll(jobs);

      assertThat(results.stream().map(SubmitResult::taskId))
          .containsExactlyElementsOf(jobs.stream().map(Job::taskId).toList());
      Session session = sessions.take();
      assertThat(session.peer().group()).isEqualTo("billing");
      assertThat(tell(session, "t1").get(20, TimeUnit.SECONDS)).isEqualTo(1);
      assertThat(heard.take().taskId()).isEqualTo("t1");
    }
  }

  @Test
  void listenerMayCallTheClientAndWaitForTheAnswer() throws Exception {
    try (JobClient client = builder().token(TOKEN).build()) {
      List<SubmitResult> next = new ArrayList<>();
      client.onResult(result -> next.add(client.submit(Job.builder("orders", "after").build())));
      client.awaitConnected(Duration.ofSeconds(20));

      assertThat(tell(sessions.take(), "before").get(20, TimeUnit.SECONDS)).isEqualTo(1);

      assertThat(next).singleElement().matches(Answers.accepted("after"));
    }
  }

  @Test
  void wrongTokenIsSaidAtOnceToWhoeverWaitsForTheConnection() {
    try (JobClient client = builder().token("another-token-altogether").build()) {
      assertThatThrownBy(() -> client.awaitConnected(Duration.ofSeconds(20)))
          .isInstanceOf(JobCallException.class)
          .cause()
          .isInstanceOfSatisfying(
              RpcException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
    }
  }

  private JobClientBuilder builder() {
    return JobClient.builder().trackers(address).clientGroup("billing");
  }

  private static CompletableFuture<Integer> tell(Session session, String taskId) {
    TriggerResult result =
        new TriggerResult(
            "orders", taskId, Instant.EPOCH, 0, Disposition.SUCCEEDED, 1, null, Instant.EPOCH);
    return session
        .call(new FeedbackRequest(List.of(result)), Duration.ofSeconds(20))
        .thenApply(reply -> reply.handled());
  }

  @SuppressWarnings("unchecked") // a SubmitRequest is a Request<SubmitReply>
  private static <R> CompletionStage<R> answer(Session session, Request<R> request) {
    SubmitRequest submit = (SubmitRequest) request;
    return (CompletionStage<R>)
        CompletableFuture.completedFuture(
            new SubmitReply(
                submit.submissions().stream()
                    .map(submission -> SubmitResult.accepted(submission.job().taskId()))
                    .toList()));
  }
}
