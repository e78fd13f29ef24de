package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.internal.LogCapture;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.CompleteReply;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.LogRequest;
import io.millrace.internal.protocol.Ping;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.PullStatus;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.Token;
import io.millrace.internal.rpc.netty.NettyRpcConnector;
import io.millrace.internal.time.SystemClock;
import io.millrace.internal.time.WheelTimer;
import io.millrace.jobclient.JobCallException;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A tracker with tokens lets in who knows the right one, and only to what its role may do. */
@Timeout(60)
class AccessTest {
  private static final String GROUP = "orders";
  private static final String CLIENTS = "the token of the clients";
  private static final String WORKERS = "the token of the workers";
  private static final String STRANGERS = "a token of nobody at all";
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final TestDatabase database = open(TestDatabase.h2());
  private final JobTracker tracker =
      open(
          JobTracker.create(
              config(
                  RpcServerConfig.onLoopback(0)
                      .withTokens(new RoleTokens(Token.of(CLIENTS), Token.of(WORKERS))))));
  private final String address = start(tracker);
  private final WheelTimer timer = open(new WheelTimer("test-wheel"));

  private JobTrackerConfig config(RpcServerConfig rpc) {
    return new JobTrackerConfig(
        rpc, JobTrackerConfig.DEFAULT_RPC_THREADS, database.config(), TrackerSettings.byDefault());
  }

  private static String start(JobTracker tracker) {
    tracker.start();
    return tracker.address();
  }

  private <T extends AutoCloseable> T open(T resource) {
    opened.push(resource);
    return resource;
  }

  @AfterEach
  void closeWhatIsOpen() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  private JobClient client(@Nullable String token) {
    return open(JobClient.builder().trackers(address).token(token).build());
  }

  private CompletableFuture<Session> connect(NodeRole role, String nodeId, @Nullable String token) {
    Token known = token == null ? null : Token.of(token);
    NettyRpcConnector connector =
        new NettyRpcConnector(
            RpcConnectorConfig.of(role, nodeId, GROUP, known), timer, new SystemClock(), 1);
    open(connector::close);
    return connector.connect(address, AccessTest::answerNothing);
  }

  private static <R> CompletableFuture<R> answerNothing(Session session, Request<R> request) {
    return CompletableFuture.failedFuture(new RpcException(ErrorCode.UNSUPPORTED, "a test"));
  }

  private static ErrorCode codeOf(CompletableFuture<?> refused) {
    ExecutionException failure =
        catchThrowableOfType(
            ExecutionException.class, () -> refused.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS));
    assertThat(failure).as("a refusal").isNotNull().hasCauseInstanceOf(RpcException.class);
    return ((RpcException) failure.getCause()).code();
  }

  private static <T> T answerOf(CompletableFuture<T> future) throws Exception {
    return future.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {STRANGERS, WORKERS})
  void aClientWithoutTheTokenOfClientsIsRefusedAtOnce(@Nullable String token) {
    JobClient client = client(token);

    assertThatExceptionOfType(JobCallException.class)
        .isThrownBy(() -> client.awaitConnected(TIMEOUT))
        .satisfies(
            e ->
                assertThat(e.getCause())
                    .extracting(cause -> ((RpcException) cause).code())
                    .isEqualTo(ErrorCode.UNAUTHENTICATED))
        .withMessageContaining("token");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {STRANGERS, CLIENTS})
  void aWorkerWithoutTheTokenOfWorkersIsRefused(@Nullable String token) {
    assertThat(codeOf(connect(NodeRole.WORKER, "stranger", token)))
        .isEqualTo(ErrorCode.UNAUTHENTICATED);
  }

  @Test
  void jobsRunOnTheWorkerThatKnowsTheToken() {
    Journal journal = new Journal();
    startWorker("stranger", STRANGERS, journal);
    startWorker("client", CLIENTS, journal);
    startWorker("worker", WORKERS, journal);
    assertThat(client(CLIENTS).submit(Job.builder(GROUP, "a job").build()).isStored()).isTrue();

    await().atMost(TIMEOUT).until(() -> database.count("jt_history") == 1);

    assertThat(journal.runs()).extracting(Run::workerId).containsExactly("worker");
  }

  private void startWorker(String id, String token, Journal journal) {
    TaskTracker worker =
        open(
            TaskTracker.builder()
                .trackers(address)
                .token(token)
                .nodeGroup(GROUP)
                .id(id)
                .runner(journal.noting(id, (context, times) -> Result.success()))
                .build());
    worker.start();
  }

  @Test
  void aClientMayNotPullNorReportNorLog() throws Exception {
    Session client = answerOf(connect(NodeRole.CLIENT, "client", CLIENTS));

    List<ErrorCode> codes = new ArrayList<>();
    codes.add(codeOf(client.call(new PullRequest(1, 1, List.of(), List.of()), TIMEOUT)));
    codes.add(codeOf(client.call(new CompleteRequest(List.of(success(1))), TIMEOUT)));
    codes.add(codeOf(client.call(new LogRequest(List.of()), TIMEOUT)));

    assertThat(codes).hasSize(3).containsOnly(ErrorCode.FORBIDDEN);
    assertThat(client.isOpen()).isTrue();
  }

  @Test
  void aWorkerMayNotSubmitNorCancel() throws Exception {
    Session worker = answerOf(connect(NodeRole.WORKER, "worker", WORKERS));
    SubmitRequest submit =
        new SubmitRequest(
            List.of(new JobSubmission("submission", Job.builder(GROUP, "a job").build())));

    List<ErrorCode> codes = new ArrayList<>();
    codes.add(codeOf(worker.call(submit, TIMEOUT)));
    codes.add(codeOf(worker.call(new CancelRequest(GROUP, "a job"), TIMEOUT)));

    assertThat(codes).hasSize(2).containsOnly(ErrorCode.FORBIDDEN);
    assertThat(worker.isOpen()).isTrue();
    assertThat(client(CLIENTS).cancel(GROUP, "a job").found()).as("stored all the same").isFalse();
  }

  @Test
  void aWorkerCannotReportTheExecutionOfAnother() throws Exception {
    Session owner = answerOf(connect(NodeRole.WORKER, "owner", WORKERS));
    Session other = answerOf(connect(NodeRole.WORKER, "other", WORKERS));
    assertThat(client(CLIENTS).submit(Job.builder(GROUP, "a job").build()).isStored()).isTrue();
    ExecutionResult result = success(pull(owner).executionId());

    CompleteReply toOther = answerOf(other.call(new CompleteRequest(List.of(result)), TIMEOUT));
    CompleteReply toOwner = answerOf(owner.call(new CompleteRequest(List.of(result)), TIMEOUT));

    assertThat(toOther.answers()).containsExactly(CompletionStatus.REFUSED);
    assertThat(toOwner.answers()).containsExactly(CompletionStatus.ACCEPTED);
    assertThat(database.query("SELECT worker_id FROM jt_history")).containsExactly("owner");
  }

  /** A network that lost the end of the old connection tells the tracker of it much later. */
  @Test
  void theEndOfAWorkersOldConnectionLeavesThePullOfItsNewOneWaiting() throws Exception {
    Session before = answerOf(connect(NodeRole.WORKER, "worker", WORKERS));
    assertThat(client(CLIENTS).submit(Job.builder(GROUP, "a job").build()).isStored()).isTrue();
    ExecutionResult result = success(pull(before).executionId());
    Session after = answerOf(connect(NodeRole.WORKER, "worker", WORKERS));
    long number = 1L << 40;
    List<Long> held = List.of(result.executionId());

    CompletableFuture<PullReply> parked =
        after.call(new PullRequest(number, 1, List.of(), held), TIMEOUT);
    answerOf(after.call(new PullRequest(number + 1, 0, List.of(number), held), TIMEOUT));
    before.close();

    assertThat(answerOf(parked).status()).isEqualTo(PullStatus.SERVED);
    CompleteReply reply = answerOf(after.call(new CompleteRequest(List.of(result)), TIMEOUT));
    assertThat(reply.answers()).containsExactly(CompletionStatus.ACCEPTED);
  }

  /** Pulls again and again until there is something: the group may be new to the tracker. */
  private static Assignment pull(Session worker) throws Exception {
    List<Assignment> pulled = new ArrayList<>();
    for (long number = 1; pulled.isEmpty(); number++) {
      PullRequest request = new PullRequest(number, 1, List.of(), List.of());
      pulled.addAll(answerOf(worker.call(request, TIMEOUT)).assignments());
    }
    return pulled.get(0);
  }

  private static ExecutionResult success(long executionId) {
    SystemClock clock = new SystemClock();
    return new ExecutionResult(
        executionId, Outcome.SUCCESS, null, null, List.of(), clock.now(), clock.now());
  }

  @Test
  void trackersOfOneStoreLetOneAnotherInAndNobodyWhoKnowsAnotherSecret() throws Exception {
    Class<?> link = Class.forName("io.millrace.jobtracker.cluster.PeerLink");
    try (LogCapture peers = new LogCapture(link)) {
      JobTracker second = open(JobTracker.create(config(RpcServerConfig.onLoopback(0))));
      String other = start(second);

      await()
          .atMost(TIMEOUT)
          .untilAsserted(
              () ->
                  assertThat(peers.lines())
                      .anyMatch(line -> line.contains("connected") && line.contains(other))
                      .anyMatch(line -> line.contains("connected") && line.contains(address)));
      Session client = answerOf(connect(NodeRole.CLIENT, "client", CLIENTS));
      assertThat(answerOf(client.call(new Ping(), TIMEOUT)).trackers())
          .containsExactlyInAnyOrder(address, other);
    }
    for (String guess : List.of(STRANGERS, CLIENTS, WORKERS)) {
      assertThat(codeOf(connect(NodeRole.TRACKER, "forger", guess)))
          .isEqualTo(ErrorCode.UNAUTHENTICATED);
    }
  }

  @Test
  void aTrackerWithoutTokensRefusesToListenBeyondThisMachine() {
    RpcServerConfig here = RpcServerConfig.onLoopback(0);
    RpcServerConfig everywhere =
        new RpcServerConfig(
            "0.0.0.0", 0, null, 0, RoleTokens.NONE, null, here.together(), here.limits());
    JobTracker open = open(JobTracker.create(config(everywhere)));

    assertThatIllegalStateException().isThrownBy(open::start).withMessageContaining("token");
  }
}
