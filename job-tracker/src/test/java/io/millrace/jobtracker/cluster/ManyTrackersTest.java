package io.millrace.jobtracker.cluster;

import static io.millrace.jobtracker.fixture.TrackersByHand.GROUP;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.SubmitResult;
import io.millrace.api.TriggerResult;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.HandOverReply;
import io.millrace.internal.protocol.HandOverRequest;
import io.millrace.internal.protocol.HintRequest;
import io.millrace.internal.protocol.Ping;
import io.millrace.internal.protocol.PingReply;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.Token;
import io.millrace.internal.rpc.memory.SimulatedDelivery;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.fixture.TrackersByHand;
import io.millrace.tasktracker.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ManyTrackersTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final HintRequest NOTHING =
      new HintRequest(List.of(), List.of(), List.of(), List.of(), List.of(), null);

  /** Loads are so rare that nothing starts soon without a hint. */
  private static final ServiceConfig SELDOM =
      new ServiceConfig(
          Duration.ofSeconds(10),
          ServiceConfig.Workers.DEFAULT,
          new ServiceConfig.Preload(Duration.ofSeconds(50), Duration.ofSeconds(55)),
          Duration.ofHours(1));

  private final TrackersByHand cluster = new TrackersByHand(SELDOM, null, "a:1", "b:1");
  private final List<String> ran = new ArrayList<>();

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void jobSubmittedElsewhereStartsAtOnceOnAWorkerThatFoundTheOwner() {
    worker(cluster.another());
    JobClient client = cluster.client(cluster.another());
    cluster.time.pass(Duration.ofSeconds(2));
    Instant before = cluster.time.now();

    submit(client, "now");

    assertThat(ran).containsExactly("now");
    assertThat(cluster.time.now()).isEqualTo(before);
  }

  @Test
  void clientThatIsConnectedElsewhereHearsOfTheEndAtOnce() {
    worker(cluster.owner());
    JobClient client = cluster.client(cluster.another());
    List<TriggerResult> ends = new ArrayList<>();
    client.onResult(ends::add);
    cluster.time.pass(Duration.ofSeconds(2));
    Instant before = cluster.time.now();

    submit(client, "now");

    assertThat(ends).extracting(TriggerResult::taskId).containsExactly("now");
    assertThat(cluster.time.now()).isEqualTo(before);
  }

  @Test
  void clientFindsADiscoveredTrackerWhenItsOwnIsClosed() {
    JobClient client = cluster.client("a:1");
    cluster.stop("a:1");
    cluster.time.pass(Duration.ofSeconds(2));

    assertThat(submit(client, "later").isStored()).isTrue();
  }

  @Test
  void workerFindsADiscoveredTrackerWhenItsOwnIsClosed() {
    String owner = cluster.owner();
    worker(owner);
    JobClient client = cluster.client(cluster.another());
    cluster.time.pass(Duration.ofSeconds(2));

    cluster.stop(owner);
    submit(client, "later");
    cluster.time.pass(Duration.ofSeconds(5));

    assertThat(ran).containsExactly("later");
  }

  @Test
  void trackerThatComesLaterIsKnownToNodesAndTrackersAndForgottenWhenItIsGone() {
    Session node = cluster.connect(NodeRole.CLIENT, null, "a:1").join();
    assertThat(told(node)).containsExactlyInAnyOrder("a:1", "b:1");

    cluster.start("c:1");
    assertThat(told(node)).containsExactlyInAnyOrder("a:1", "b:1", "c:1");

    cluster.stop("c:1");
    cluster.time.pass(Duration.ofSeconds(3));
    assertThat(told(node)).containsExactlyInAnyOrder("a:1", "b:1");
  }

  @Test
  void nobodyIsTakenForATrackerWithoutTheSecret() {
    Token forged = Token.of("not the secret that the trackers share");

    assertThat(codeOf(cluster.connect(NodeRole.TRACKER, forged, "a:1")))
        .isEqualTo(ErrorCode.UNAUTHENTICATED);
    assertThat(cluster.connect(NodeRole.TRACKER, TrackersByHand.SECRET, "a:1"))
        .isCompletedWithValueMatching(Session::isOpen);
  }

  @Test
  void clientsAndWorkersMayNotSpeakAsTrackersNorTrackersAsClients() {
    for (NodeRole role : List.of(NodeRole.CLIENT, NodeRole.WORKER)) {
      Session node = cluster.connect(role, null, "a:1").join();
      assertThat(codeOf(call(node, NOTHING))).isEqualTo(ErrorCode.FORBIDDEN);
      assertThat(codeOf(call(node, new HandOverRequest(GROUP)))).isEqualTo(ErrorCode.FORBIDDEN);
    }
    Session tracker = cluster.connect(NodeRole.TRACKER, TrackersByHand.SECRET, "a:1").join();
    assertThat(call(tracker, NOTHING)).isCompleted();
    assertThat(codeOf(call(tracker, new SubmitRequest(List.of())))).isEqualTo(ErrorCode.FORBIDDEN);
  }

  @Test
  void trackerThatIsHandedAGroupSaysWhetherItServesIt() {
    assertThat(handedOver(cluster.owner())).isEqualTo(new HandOverReply(true));
    assertThat(handedOver(cluster.another())).isEqualTo(new HandOverReply(false));
  }

  @Test
  void ownerThatNeitherHearsNorSpeaksHoldsNobodyUp() {
    String owner = cluster.owner();
    JobClient client = cluster.client(cluster.another());
    cluster.network.setPolicy(
        (parcel, random) ->
            parcel.from().equals(owner) || parcel.to().equals(owner)
                ? SimulatedDelivery.DROPPED
                : SimulatedDelivery.AT_ONCE);
    Instant before = cluster.time.now();

    for (int i = 0; i < 20; i++) {
      assertThat(submit(client, "job-" + i).isStored()).isTrue();
    }

    assertThat(cluster.time.now()).isEqualTo(before);
  }

  private HandOverReply handedOver(String address) {
    Session tracker = cluster.connect(NodeRole.TRACKER, TrackersByHand.SECRET, address).join();
    return call(tracker, new HandOverRequest(GROUP)).join();
  }

  private void worker(String address) {
    cluster.worker(
        context -> {
          ran.add(context.taskId());
          return Result.success();
        },
        address);
  }

  private SubmitResult submit(JobClient client, String taskId) {
    CompletableFuture<SubmitResult> answer =
        client.submitAsync(Job.builder(GROUP, taskId).feedback(true).build());
    cluster.time.run();
    assertThat(answer).isCompleted();
    return answer.join();
  }

  private List<String> told(Session node) {
    CompletableFuture<PingReply> reply = call(node, new Ping());
    return reply.join().trackers();
  }

  private <R> CompletableFuture<R> call(Session session, Request<R> request) {
    CompletableFuture<R> answer = session.call(request, TIMEOUT);
    cluster.time.run();
    return answer;
  }

  private static @Nullable ErrorCode codeOf(CompletableFuture<?> answer) {
    assertThat(answer).isCompletedExceptionally();
    Throwable failure = answer.handle((unused, thrown) -> thrown).join();
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return ((RpcException) cause).code();
  }
}
