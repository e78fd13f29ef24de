package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.HintReply;
import io.millrace.internal.protocol.HintRequest;
import io.millrace.internal.protocol.HintRequest.Executions;
import io.millrace.internal.protocol.HintRequest.Triggers;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RequestHandler;
import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.rpc.Session;
import io.millrace.jobtracker.fixture.RecordingSession;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PeerLinkTest {
  private static final Tracker PEER = new Tracker(2, "tracker-2", "b:1", 0, 1);

  private final RecordingSession session = session("tracker-2");
  private CompletableFuture<Session> opening = CompletableFuture.completedFuture(session);
  private int attempts;
  private final PeerLink link = new PeerLink(PEER, new Connector());

  @Test
  void whatGathersWhileAHintIsUnderWayGoesTogetherAndOnce() {
    link.connect();
    link.send(hints -> hints.triggersStored("orders", 500));

    link.send(hints -> hints.triggersStored("orders", 900));
    link.send(hints -> hints.triggersStored("orders", 700));
    link.send(hints -> hints.executionsEnded("orders", List.of(1L, 2L)));
    link.send(hints -> hints.executionsEnded("orders", List.of(2L, 3L)));
    link.send(hints -> hints.stopRequested("mail", List.of(4L)));
    link.send(hints -> hints.terminated("mail", List.of(5L)));
    link.send(hints -> hints.nodeGroupStored("mail"));
    link.send(hints -> hints.feedbackStored(List.of("shop")));
    link.send(hints -> hints.feedbackStored(List.of("desk")));
    assertThat(session.calls()).hasSize(1);
    session.answer(new HintReply());

    assertThat(session.calls()).hasSize(2);
    assertThat(session.lastCall())
        .isEqualTo(
            new HintRequest(
                List.of(new Triggers("orders", 700)),
                List.of(new Executions("orders", List.of(1L, 2L, 3L))),
                List.of(new Executions("mail", List.of(4L))),
                List.of(new Executions("mail", List.of(5L))),
                List.of("mail"),
                new HintRequest.Feedback(List.of("desk"))));
    session.answer(new HintReply());
    assertThat(session.calls()).hasSize(2);
  }

  @Test
  void hintThatIsNotAnsweredDoesNotKeepTheNextBack() {
    link.connect();
    link.send(hints -> hints.triggersStored("orders", 500));
    link.send(hints -> hints.triggersStored("orders", 900));

    session.fail(new IllegalStateException("no answer"));

    assertThat(session.calls()).hasSize(2);
  }

  @Test
  void nothingIsKeptForAPeerThatIsNotConnected() {
    link.send(hints -> hints.triggersStored("orders", 500));
    link.connect();
    assertThat(session.calls()).isEmpty();

    link.send(hints -> hints.triggersStored("orders", 600));
    link.send(hints -> hints.triggersStored("orders", 700));
    session.close();
    session.failIfAsked(new IllegalStateException("closed"));
    link.send(hints -> hints.triggersStored("orders", 800));

    assertThat(session.calls()).hasSize(1);
  }

  @Test
  void memoryOfAPeerThatDoesNotAnswerIsBounded() {
    link.connect();
    link.send(hints -> hints.nodeGroupStored("first"));

    List<Long> ids = LongStream.range(0, 1_000).boxed().toList();
    for (int i = 0; i < 2_000; i++) {
      String group = "group-" + i;
      link.send(hints -> hints.triggersStored(group, 1));
      link.send(hints -> hints.executionsEnded(group, ids));
      link.send(hints -> hints.nodeGroupStored(group));
    }
    session.answer(new HintReply());

    HintRequest told = (HintRequest) session.lastCall();
    assertThat(told.triggers()).hasSize(PendingHints.MAX_GROUPS);
    assertThat(told.nodeGroups()).hasSize(PendingHints.MAX_GROUPS);
    assertThat(told.ended().stream().mapToInt(row -> row.executionIds().size()).sum())
        .isEqualTo(PendingHints.MAX_EXECUTIONS);
  }

  @Test
  void anotherTrackerAtTheAddressIsNotTakenForThePeer() {
    RecordingSession stranger = session("tracker-3");
    opening = CompletableFuture.completedFuture(stranger);

    assertThat(link.connect()).isCompletedExceptionally();

    assertThat(stranger.isOpen()).isFalse();
  }

  @Test
  void oneAttemptIsUnderWayAtATimeAndTheNextFollowsAFailure() {
    opening = new CompletableFuture<>();
    link.connect();
    link.connect();
    assertThat(attempts).isEqualTo(1);

    opening.completeExceptionally(new IllegalStateException("refused"));
    opening = CompletableFuture.completedFuture(session);
    assertThat(link.connect()).isCompletedWithValue(session);

    assertThat(attempts).isEqualTo(2);
  }

  @Test
  void connectionThatComesAfterTheCloseIsClosed() {
    CompletableFuture<Session> late = new CompletableFuture<>();
    opening = late;
    link.connect();

    link.close();
    late.complete(session);

    assertThat(session.isOpen()).isFalse();
    assertThat(link.connect()).isCompletedExceptionally();
  }

  @Test
  void peerThatCannotBeAskedDoesNotServe() {
    opening = CompletableFuture.failedFuture(new IllegalStateException("refused"));

    assertThat(link.handOver("orders", Duration.ofSeconds(1))).isCompletedWithValue(false);
  }

  private static RecordingSession session(String trackerId) {
    return new RecordingSession(new Peer(NodeRole.TRACKER, trackerId, "", "b:1"));
  }

  private final class Connector implements RpcConnector {
    @Override
    public CompletableFuture<Session> connect(String address, RequestHandler handler) {
      attempts++;
      return opening;
    }

    @Override
    public void close() {}
  }
}
