package io.millrace.jobtracker.faults;

import io.millrace.api.TriggerResult;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.FeedbackReply;
import io.millrace.internal.protocol.FeedbackRequest;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.RequestHandler;
import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.time.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A client that asks one thing after the other, and each until it has an answer: the same request
 * again after every failure, on a new connection if the old one is gone. For one thread.
 */
final class PersistentClient {
  private static final Duration PAUSE = Duration.ofMillis(300);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private record Question<R>(Request<R> request, Predicate<R> isAnswer, Consumer<R> then) {}

  private final RpcConnector connector;
  private final String address;
  private final Timer timer;
  private final Executor executor;
  private final Deque<Question<?>> questions = new ArrayDeque<>();
  private final List<TriggerResult> told = new ArrayList<>();
  private @Nullable Session session;
  private boolean asking;
  private int repeats;

  PersistentClient(RpcConnector connector, String address, Timer timer, Executor executor) {
    this.connector = connector;
    this.address = address;
    this.timer = timer;
    this.executor = executor;
    connect();
  }

  /**
   * Asks when all that was asked before is answered.
   *
   * @param isAnswer whether a reply settles it
   */
  <R> void ask(Request<R> request, Predicate<R> isAnswer, Consumer<R> then) {
    questions.add(new Question<>(request, isAnswer, then));
    askNext();
  }

  boolean isAnswered() {
    return questions.isEmpty();
  }

  /** How often something had to be asked again. */
  int repeats() {
    return repeats;
  }

  /** The ends of triggers that this client was told of. */
  List<TriggerResult> told() {
    return told;
  }

  private void connect() {
    connector
        .connect(address, new Ear())
        .whenComplete(
            (opened, failure) -> {
              if (failure != null) {
                later(this::connect);
                return;
              }
              session = opened;
              opened.onClose(
                  () -> {
                    session = null;
                    later(this::connect);
                  });
              askNext();
            });
  }

  private void askNext() {
    Question<?> question = questions.peek();
    if (question != null && !asking && session != null) {
      asking = true;
      ask(question, session);
    }
  }

  private <R> void ask(Question<R> question, Session on) {
    on.call(question.request(), TIMEOUT)
        .whenComplete(
            (reply, failure) -> {
              asking = false;
              if (failure == null && question.isAnswer().test(reply)) {
                questions.remove();
                question.then().accept(reply);
                askNext();
              } else {
                repeats++;
                later(this::askNext);
              }
            });
  }

  private void later(Runnable task) {
    Timer.Timeout unused = timer.schedule(PAUSE, executor, task);
  }

  private final class Ear implements RequestHandler {
    @Override
    @SuppressWarnings("unchecked") // a FeedbackRequest is answered by a FeedbackReply
    public <R> CompletionStage<R> handle(Session from, Request<R> request) {
      if (request instanceof FeedbackRequest feedback) {
        told.addAll(feedback.results());
        return CompletableFuture.completedFuture((R) new FeedbackReply(feedback.results().size()));
      }
      return CompletableFuture.failedFuture(
          new RpcException(ErrorCode.UNSUPPORTED, "not asked of a client"));
    }
  }
}
