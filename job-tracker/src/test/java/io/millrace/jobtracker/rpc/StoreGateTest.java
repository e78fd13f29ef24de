package io.millrace.jobtracker.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.common.model.NodeRole;
import io.millrace.common.protocol.CompleteReply;
import io.millrace.common.protocol.CompleteRequest;
import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.protocol.HealthRequest;
import io.millrace.common.protocol.Request;
import io.millrace.common.protocol.SubmitReply;
import io.millrace.common.protocol.SubmitRequest;
import io.millrace.common.rpc.Peer;
import io.millrace.common.rpc.RequestHandler;
import io.millrace.common.rpc.RpcException;
import io.millrace.common.rpc.Session;
import io.millrace.jobtracker.fixture.RecordingSession;
import io.millrace.jobtracker.store.StoreHealth;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class StoreGateTest {
  private static final SubmitRequest SUBMIT = new SubmitRequest(List.of());
  private static final CompleteRequest COMPLETE = new CompleteRequest(List.of());

  private Optional<StoreHealth.Trouble> trouble = Optional.empty();
  private final StoreGate gate = new StoreGate(new Answering(), () -> trouble);

  @Test
  void passesEverythingWhileTheStoreAnswers() {
    assertThat(ask(NodeRole.CLIENT, SUBMIT)).isCompleted();
    assertThat(ask(NodeRole.WORKER, COMPLETE)).isCompleted();
  }

  @Test
  void refusesWhatClientsAskAtOnceAndSaysThatItMayBeRepeated() {
    trouble =
        Optional.of(
            new StoreHealth.Trouble(StoreHealth.Symptom.SILENT, Duration.ofSeconds(7), "refused"));

    assertThatThrownBy(() -> ask(NodeRole.CLIENT, SUBMIT).join())
        .hasCauseInstanceOf(RpcException.class)
        .hasMessageContaining("not now, try again: the store has not answered for 7.0 s: refused")
        .satisfies(
            thrown ->
                assertThat(((RpcException) thrown.getCause()).code())
                    .isEqualTo(ErrorCode.UNAVAILABLE));
  }

  @Test
  void letsWorkersBeatOn() {
    trouble =
        Optional.of(
            new StoreHealth.Trouble(StoreHealth.Symptom.SILENT, Duration.ofSeconds(7), "refused"));

    assertThat(ask(NodeRole.WORKER, COMPLETE)).isCompleted();
  }

  @Test
  void letsClientsAskHowItIs() {
    trouble =
        Optional.of(
            new StoreHealth.Trouble(StoreHealth.Symptom.SILENT, Duration.ofSeconds(7), "refused"));

    assertThat(ask(NodeRole.CLIENT, new HealthRequest())).isCompleted();
  }

  @Test
  void opensAgainByItself() {
    trouble =
        Optional.of(
            new StoreHealth.Trouble(StoreHealth.Symptom.SILENT, Duration.ofSeconds(7), "refused"));
    trouble = Optional.empty();

    assertThat(ask(NodeRole.CLIENT, SUBMIT)).isCompleted();
  }

  private <R> CompletableFuture<R> ask(NodeRole role, Request<R> request) {
    Session session = new RecordingSession(new Peer(role, "node-1", "orders", "local"));
    return gate.handle(session, request).toCompletableFuture();
  }

  private static final class Answering implements RequestHandler {
    @Override
    @SuppressWarnings("unchecked") // each request gets its own reply
    public <R> CompletionStage<R> handle(Session session, Request<R> request) {
      Object reply =
          request instanceof SubmitRequest
              ? new SubmitReply(List.of())
              : new CompleteReply(List.of());
      return (CompletionStage<R>) CompletableFuture.completedFuture(reply);
    }
  }
}
