package io.millrace.jobtracker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.internal.LogCapture;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.PullStatus;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.memory.InProcessNetwork;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.cluster.GroupOwnership;
import io.millrace.jobtracker.config.NodeGroupConfig;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.purge.RetentionConfig;
import io.millrace.jobtracker.quota.QuotaConfig;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.wiring.TrackerRuntime;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** How many node groups clients and workers can have made at a tracker, and which it drops. */
class BoundsOfNodeGroupsTest {
  private static final String ADDRESS = "tracker:1";
  private static final Duration UNUSED = Duration.ofMinutes(3);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final HandTime time = new HandTime();
  private final TimedExecutor timed = time.timedExecutor();
  private final InProcessNetwork network =
      new InProcessNetwork(timed.timer(), timed.executor(), timed.clock(), 1);
  private final TestDatabase database = TestDatabase.h2();
  private final LogCapture log = new LogCapture(GroupOwnership.class);
  private JobTracker tracker;
  private int submissions;

  @BeforeEach
  void startTracker() {
    ((Logger) LoggerFactory.getLogger(GroupOwnership.class)).setLevel(Level.INFO);
    tracker =
        JobTracker.over(
            new TrackerSettings(
                "tracker",
                ZoneOffset.UTC,
                new NodeGroupConfig(5, 2, UNUSED),
                GenerationLimits.DEFAULT,
                ServiceConfig.DEFAULT,
                RetentionConfig.DEFAULT,
                QuotaConfig.DEFAULT),
            new TrackerRuntime(
                database.stores(),
                network.server(ADDRESS, "tracker", RoleTokens.NONE),
                timed,
                new Random(1)));
    tracker.start();
    time.run();
  }

  @AfterEach
  void close() {
    tracker.close();
    ((Logger) LoggerFactory.getLogger(GroupOwnership.class)).setLevel(null);
    log.close();
    database.close();
  }

  private <T> T answer(CompletableFuture<T> future) {
    time.pass(TIMEOUT);
    return future.join();
  }

  private Session connect(NodeRole role, String nodeId, String group) {
    return answer(
        network
            .connector(RpcConnectorConfig.of(role, nodeId, group, null))
            .connect(ADDRESS, BoundsOfNodeGroupsTest::answerNothing));
  }

  private static <R> CompletableFuture<R> answerNothing(Session session, Request<R> request) {
    return CompletableFuture.failedFuture(new RpcException(ErrorCode.UNSUPPORTED, "a test"));
  }

  private SubmitResult submit(Session client, String group) {
    JobSubmission submission =
        new JobSubmission("submission-" + ++submissions, Job.builder(group, "a").build());
    return answer(client.call(new SubmitRequest(List.of(submission)), TIMEOUT)).results().get(0);
  }

  private PullReply pull(Session worker, long number) {
    return answer(worker.call(new PullRequest(number, 1, List.of(), List.of()), TIMEOUT));
  }

  private List<String> groups() {
    return database.stores().nodeGroups().all().stream().map(NodeGroup::name).toList();
  }

  @Test
  void noClientGroupCanHaveAllNodeGroupsMade() {
    Session shop = connect(NodeRole.CLIENT, "client-1", "shop");
    assertThat(submit(shop, "a").isStored()).isTrue();
    assertThat(submit(shop, "b").isStored()).isTrue();

    SubmitResult refused = submit(shop, "c");

    assertThat(refused.reason()).isEqualTo(RejectReason.TOO_MANY_NODE_GROUPS);
    assertThat(refused.message())
        .contains("the limit of 2 node groups created by client group shop");
    assertThat(submit(shop, "b").message())
        .as("a group that is there")
        .isNotEqualTo(refused.message());
    assertThat(submit(connect(NodeRole.CLIENT, "client-2", "mail"), "c").isStored()).isTrue();
    assertThat(groups()).containsExactly("a", "b", "c");
  }

  @Test
  void workersTogetherCanNotEither() {
    assertThat(pull(connect(NodeRole.WORKER, "worker-1", "a"), 1).status())
        .isEqualTo(PullStatus.SERVED);
    assertThat(pull(connect(NodeRole.WORKER, "worker-2", "b"), 1).status())
        .isEqualTo(PullStatus.SERVED);
    Session third = connect(NodeRole.WORKER, "worker-3", "c");

    assertThatThrownBy(() -> pull(third, 1))
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOf(RpcException.class)
        .hasMessageContaining("the limit of 2 node groups created by workers");
    assertThat(groups()).containsExactly("a", "b");

    assertThat(submit(connect(NodeRole.CLIENT, "client-1", "shop"), "c").isStored()).isTrue();
    assertThat(pull(third, 2).assignments()).as("once there is a job").hasSize(1);
  }

  @Test
  void groupThatNothingUsesIsDroppedAndMadeAgainForAWorkerThatComesBack() {
    Session worker = connect(NodeRole.WORKER, "worker-1", "idle");
    assertThat(pull(worker, 1).status()).isEqualTo(PullStatus.SERVED);
    assertThat(submit(connect(NodeRole.CLIENT, "client-1", "shop"), "busy").isStored()).isTrue();
    time.pass(UNUSED.multipliedBy(4));
    assertThat(groups()).as("a worker is connected").containsExactly("busy", "idle");

    worker.close();
    time.pass(UNUSED.minusSeconds(1));
    assertThat(groups()).containsExactly("busy", "idle");
    time.pass(UNUSED.multipliedBy(3));

    assertThat(groups()).containsExactly("busy");
    assertThat(log.lines())
        .filteredOn(line -> line.contains("dropped node group"))
        .singleElement()
        .asString()
        .startsWith("INFO membership: dropped node group idle, which has been unused since 2026-");
    Session again = connect(NodeRole.WORKER, "worker-1", "idle");
    List<PullStatus> answers =
        List.of(pull(again, 1).status(), pull(again, 2).status(), pull(again, 3).status());
    assertThat(answers).endsWith(PullStatus.SERVED);
    assertThat(groups()).containsExactly("busy", "idle");
  }
}
