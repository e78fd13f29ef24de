package io.millrace.jobtracker.complete;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Disposition;
import io.millrace.api.TriggerResult;
import io.millrace.internal.LogCapture;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.FeedbackReply;
import io.millrace.internal.protocol.FeedbackRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.jobtracker.domain.outcome.Feedback;
import io.millrace.jobtracker.fixture.RecordingSession;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.FeedbackStore;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FeedbackPusherTest extends ServiceTest {
  private final Map<String, List<Session>> connected = new LinkedHashMap<>();
  private FeedbackPusher pusher;
  private int wakes;

  @BeforeEach
  void openPusher() {
    pusher = pusherOver(stores.feedback());
  }

  @Test
  void endsAreToldInOrderAndForgottenOnceTheyAreAcknowledged() {
    RecordingSession client = connect("shop");
    store("shop", 1, 2, 3);

    assertThat(run()).isEqualTo(1);
    assertThat(taskIdsOf(client.lastCall())).containsExactly("task-1", "task-2", "task-3");
    client.answer(new FeedbackReply(3));
    time.run();

    assertThat(left("shop")).isEmpty();
    assertThat(run()).isZero();
  }

  @Test
  void whatTheListenerDidNotTakeIsToldAgainFirst() {
    RecordingSession client = connect("shop");
    store("shop", 1, 2, 3);
    run();
    client.answer(new FeedbackReply(2));
    time.run();

    assertThat(left("shop")).containsExactly(3L);
    assertThat(wakes).as("asks to go on at once").isEqualTo(1);
    run();
    assertThat(taskIdsOf(client.lastCall())).containsExactly("task-3");
  }

  /** LTS asked for the same five rows again without a pause. */
  @Test
  void clientThatTakesNothingIsAskedOncePerRun() {
    RecordingSession client = connect("shop");
    store("shop", 1, 2);
    for (int i = 1; i <= 5; i++) {
      run();
      client.answer(new FeedbackReply(0));
      time.run();
      assertThat(client.calls()).hasSize(i);
    }

    assertThat(wakes).as("nothing is gained by hurry").isZero();
    assertThat(left("shop")).containsExactly(1L, 2L);
  }

  @Test
  void clientThatFailsKeepsItsFeedback() {
    RecordingSession client = connect("shop");
    store("shop", 1);
    run();
    client.fail(new RpcException(ErrorCode.UNAVAILABLE, "gone"));
    time.run();

    assertThat(left("shop")).containsExactly(1L);
    assertThat(run()).as("is tried again").isEqualTo(1);
  }

  @Test
  void clientsThatFailCauseALineASecondAndNoStackTrace() {
    RecordingSession client = connect("shop");
    store("shop", 1);
    try (LogCapture log = new LogCapture(FeedbackPusher.class)) {
      for (int i = 0; i < 5; i++) {
        run();
        client.fail(new RpcException(ErrorCode.UNAVAILABLE, "gone"));
        time.run();
      }
      time.pass(Duration.ofSeconds(1));
      run();
      client.fail(new RpcException(ErrorCode.UNAVAILABLE, "gone"));
      time.run();

      assertThat(log.lines())
          .containsExactly(
              "INFO feedback: client group shop did not accept its results: gone",
              "INFO feedback: client group shop did not accept its results: gone (4 similar"
                  + " lines were left out)");
      assertThat(log.traces()).isZero();
    }
  }

  @Test
  void acknowledgementOfMoreThanWasToldForgetsNoMoreThanThat() {
    RecordingSession client = connect("shop");
    store("shop", LongStream.rangeClosed(1, 130).toArray());
    run();
    int told = taskIdsOf(client.lastCall()).size();
    client.answer(new FeedbackReply(Integer.MAX_VALUE));
    time.run();

    assertThat(told).isBetween(1, 129);
    assertThat(left("shop")).hasSize(130 - told);
    run();
    client.answer(new FeedbackReply(-5));
    time.run();
    assertThat(left("shop")).hasSize(130 - told);
  }

  /** In LTS one expired row, or one hung client, stood in everybody's way. */
  @Test
  void slowClientHoldsUpItsOwnGroupOnly() {
    RecordingSession slow = connect("slow");
    RecordingSession quick = connect("quick");
    store("slow", 1);
    store("quick", 2);
    assertThat(run()).isEqualTo(2);
    quick.answer(new FeedbackReply(1));
    time.run();
    store("quick", 3);

    assertThat(run()).isEqualTo(1);

    assertThat(quick.calls()).hasSize(2);
    assertThat(slow.calls()).as("one push at a time").hasSize(1);
  }

  @Test
  void clientsOfAGroupTakeTurnsSoThatOneThatIsStuckDoesNotKeepItFromAll() {
    RecordingSession stuck = connect("shop");
    RecordingSession sound = connect("shop");
    store("shop", 1);
    for (int i = 0; i < 2 && !left("shop").isEmpty(); i++) {
      run();
      stuck.failIfAsked(new RpcException(ErrorCode.UNAVAILABLE, "no answer"));
      sound.answerIfAsked(new FeedbackReply(1));
      time.run();
    }

    assertThat(left("shop")).isEmpty();
  }

  @Test
  void feedbackOfAGroupWithoutAClientWaitsForOne() {
    store("shop", 1);
    assertThat(run()).isZero();

    RecordingSession client = connect("shop");
    run();

    assertThat(client.calls()).hasSize(1);
  }

  @Test
  void endIsToldAgainIfItsAcknowledgementCouldNotBeRecorded() {
    RecordingSession client = connect("shop");
    store("shop", 1);
    FailingDelete failing = new FailingDelete(stores.feedback());
    pusher = pusherOver(failing);
    run();
    failing.fails = true;
    client.answer(new FeedbackReply(1));
    time.run();
    failing.fails = false;

    assertThat(run()).isEqualTo(1);
    assertThat(taskIdsOf(client.lastCall())).containsExactly("task-1");
  }

  /** LTS kept a flag for every node it had ever seen. */
  @Test
  void groupThatIsGoneIsForgotten() {
    RecordingSession first = connect("shop");
    RecordingSession second = connect("shop");
    store("shop", 1);
    run();
    RecordingSession asked = first.calls().isEmpty() ? second : first;
    asked.fail(new RpcException(ErrorCode.UNAVAILABLE, "gone"));
    time.run();
    List<Session> sessions = connected.remove("shop");
    run();
    connected.put("shop", sessions);

    run();

    assertThat(asked.calls()).as("its turns begin anew").hasSize(2);
  }

  private FeedbackPusher pusherOver(FeedbackStore feedback) {
    return new FeedbackPusher(
        feedback,
        () -> Set.copyOf(connected.keySet()),
        group -> connected.getOrDefault(group, List.of()),
        time.timedExecutor(),
        () -> wakes++);
  }

  private int run() {
    int pushes = pusher.runOnce();
    time.run();
    return pushes;
  }

  private RecordingSession connect(String clientGroup) {
    RecordingSession session =
        new RecordingSession(new Peer(NodeRole.CLIENT, "client", clientGroup, "local"));
    connected.computeIfAbsent(clientGroup, group -> new ArrayList<>()).add(session);
    return session;
  }

  private void store(String clientGroup, long... ids) {
    stores
        .feedback()
        .append(
            LongStream.of(ids)
                .mapToObj(
                    id ->
                        new Feedback(
                            id,
                            clientGroup,
                            new TriggerResult(
                                "orders",
                                "task-" + id,
                                Instant.EPOCH,
                                0,
                                Disposition.SUCCEEDED,
                                1,
                                null,
                                Instant.EPOCH)))
                .toList());
  }

  private List<Long> left(String clientGroup) {
    return stores.feedback().read(clientGroup, Long.MIN_VALUE, 1_000).stream()
        .map(Feedback::id)
        .toList();
  }

  private static List<String> taskIdsOf(Object request) {
    return ((FeedbackRequest) request).results().stream().map(TriggerResult::taskId).toList();
  }

  private static final class FailingDelete implements FeedbackStore {
    private final FeedbackStore real;
    boolean fails;

    FailingDelete(FeedbackStore real) {
      this.real = real;
    }

    @Override
    public void append(List<Feedback> feedback) {
      real.append(feedback);
    }

    @Override
    public List<Feedback> read(String clientGroup, long aboveId, int limit) {
      return real.read(clientGroup, aboveId, limit);
    }

    @Override
    public List<Unacknowledged> readBelow(long belowId, int limit) {
      return real.readBelow(belowId, limit);
    }

    @Override
    public void delete(Collection<Long> ids) {
      if (fails) {
        throw new StoreUnavailableException("delete feedback: gone", null);
      }
      real.delete(ids);
    }
  }
}
