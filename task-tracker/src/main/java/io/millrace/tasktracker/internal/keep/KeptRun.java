package io.millrace.tasktracker.internal.keep;

import io.millrace.api.KeepException;
import io.millrace.api.NotRetryableException;
import io.millrace.api.ValueMapper;
import io.millrace.internal.protocol.ExecutionProgress;
import io.millrace.internal.protocol.KeepRequest;
import io.millrace.internal.protocol.KeepStatus;
import io.millrace.internal.protocol.KeptKind;
import io.millrace.internal.protocol.KeptReply;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.values.JsonText;
import io.millrace.tasktracker.internal.execute.AttemptContext;
import io.millrace.tasktracker.internal.text.BoundedText;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Steps, checkpoints and progress of one attempt. What earlier attempts kept is asked on the first
 * use. Its methods may wait for a tracker, so they are called by the invocation. Thread-safe.
 */
public final class KeptRun implements OpenRun {
  private static final int FAULT_CHARS = 1_000;

  private final AttemptContext attempt;
  private final KeepSender sender;
  private final ValueMapper values;
  private final TimedExecutor loop;
  private final Answers answers;
  private final ProgressBoard board;
  private final Consumer<OpenRun> closed;
  private final Set<String> used = ConcurrentHashMap.newKeySet();

  /** How many bodies have run, or are running. */
  private final AtomicInteger newSteps = new AtomicInteger();

  private final AtomicReference<@Nullable RuntimeException> trouble = new AtomicReference<>();
  private final AtomicReference<@Nullable KeptValues> before = new AtomicReference<>();
  private volatile @Nullable String lastCheckpoint;
  private volatile @Nullable KeepException over;

  KeptRun(
      AttemptContext attempt,
      KeepSender sender,
      ValueMapper values,
      TimedExecutor loop,
      Answers answers,
      ProgressBoard board,
      Consumer<OpenRun> closed) {
    this.attempt = attempt;
    this.sender = sender;
    this.values = values;
    this.loop = loop;
    this.answers = answers;
    this.board = board;
    this.closed = closed;
    attempt.whenLost(() -> end(new KeepException(attempt + " was lost", null)));
  }

  /** Records how far the attempt has come. */
  public void progress(long done, long total, @Nullable String message) {
    String text =
        message == null ? null : BoundedText.cut(message, ExecutionProgress.MAX_MESSAGE_CHARS);
    board.put(
        new ExecutionProgress(
            attempt.executionId(),
            Math.max(0, done),
            Math.max(0, total),
            text,
            loop.clock().now()));
    if (over != null) {
      board.remove(attempt.executionId());
    }
  }

  /** The key of a step for calls to others, the same over all attempts and replays. */
  public String stepKey(String name) {
    requireName(name);
    return StepKeys.of(before().runKey(), name);
  }

  /**
   * Returns what an earlier attempt kept of a step, or runs its body and keeps what it returns.
   *
   * @param type the type of the value; null for a step without one
   */
  public @Nullable Object step(String name, @Nullable Type type, Callable<?> body)
      throws Exception {
    requireName(name);
    rethrowTrouble();
    KeptValues kept = before();
    if (!used.add(name)) {
      throw fault(name, "the name is used twice in this attempt", null);
    }
    KeptReply.Value value = kept.step(name);
    if (value != null) {
      return read(name, value, type);
    }
    if (kept.steps() + newSteps.incrementAndGet() > KeepRequest.MAX_STEPS) {
      newSteps.decrementAndGet();
      throw fault(name, "a run can have at most " + KeepRequest.MAX_STEPS + " steps", null);
    }
    Object result = call(body);
    keep(name, type, result);
    return type == null ? null : result;
  }

  /** A body that throws takes no place among the steps: nothing is stored of it. */
  private @Nullable Object call(Callable<?> body) throws Exception {
    boolean done = false;
    try {
      Object result = body.call();
      done = true;
      return result;
    } finally {
      if (!done) {
        newSteps.decrementAndGet();
      }
    }
  }

  private @Nullable Object read(String name, KeptReply.Value value, @Nullable Type type) {
    if (value.kind() != KeptKind.STEP) {
      throw fault(name, "it ran in an earlier attempt, but " + value.value(), null);
    }
    if (type == null) {
      return null;
    }
    if (value.value() == null) {
      throw fault(name, "it was kept without a value, and one is asked for", null);
    }
    return parse("step '" + name + "'", value.value(), type);
  }

  private Object parse(String what, String json, Type type) {
    try {
      return values.fromJson(json, type);
    } catch (RuntimeException e) {
      throw new NotRetryableException(
          "%s: what %s kept does not fit %s: %s"
              .formatted(attempt, what, type.getTypeName(), e.getMessage()),
          e);
    }
  }

  /**
   * Keeps what the body of a step returned. The body has run: what cannot be kept is recorded as a
   * fault, so that no attempt runs it again. That holds for errors of the mapper too, such as a
   * stack overflow at a value that contains itself.
   */
  private void keep(String name, @Nullable Type type, @Nullable Object result) {
    String json = null;
    String why = null;
    Throwable cause = null;
    if (type != null) {
      try {
        json = result == null ? null : values.toJson(result);
        why = faultOf(result, json);
      } catch (RuntimeException | Error e) {
        cause = e;
        why = "its value has no JSON form: " + (e instanceof Error ? e : e.getMessage());
      }
    }
    KeepStatus status =
        why == null ? send(KeptKind.STEP, name, json) : send(KeptKind.FAULT, name, cut(why));
    if (why == null && status == KeepStatus.TOO_LARGE) {
      why = "the run keeps more than " + KeepRequest.MAX_RUN_BYTES + " bytes";
      status = send(KeptKind.FAULT, name, why);
    }
    if (why == null && status != KeepStatus.KEPT) {
      why = "the tracker answered " + status;
    }
    if (why != null) {
      throw fault(name, "its body has run, but its value cannot be kept: " + why, cause);
    }
  }

  private static @Nullable String faultOf(@Nullable Object result, @Nullable String json) {
    if (result == null) {
      return "its body returned null";
    }
    String wrong = json == null ? "has no JSON: the mapper returned null" : JsonText.faultOf(json);
    return wrong == null ? null : "its value " + wrong;
  }

  private static String cut(String why) {
    return BoundedText.cut(why, FAULT_CHARS);
  }

  private KeepStatus send(KeptKind kind, String name, @Nullable String value) {
    attempt.keeps();
    // The work is done, and must not be done again for want of an answer.
    return answers.awaitUninterruptibly(onLoop(() -> sender.step(kind, name, value)));
  }

  /** Keeps a checkpoint, without waiting for the tracker. */
  public void checkpoint(Object value) {
    rethrowTrouble();
    String json;
    String why;
    try {
      json = values.toJson(value);
      why = JsonText.faultOf(json);
    } catch (RuntimeException e) {
      throw new NotRetryableException(
          "%s: a checkpoint has no JSON form: %s".formatted(attempt, e.getMessage()), e);
    }
    if (why != null) {
      throw new NotRetryableException(
          "%s: a checkpoint cannot be kept: it %s".formatted(attempt, why), null);
    }
    attempt.keeps();
    lastCheckpoint = json;
    var unused =
        onLoop(() -> sender.checkpoint(json))
            .whenComplete(
                (status, failure) -> {
                  if (failure instanceof RuntimeException e) {
                    trouble.set(e);
                  } else if (status == KeepStatus.TOO_LARGE) {
                    trouble.set(
                        new NotRetryableException(
                            "%s: a checkpoint was not kept: the run keeps more than %d bytes"
                                .formatted(attempt, KeepRequest.MAX_RUN_BYTES),
                            null));
                  }
                });
  }

  /** Returns the last checkpoint, of this attempt or an earlier one. */
  public Optional<Object> checkpoint(Type type) {
    String json = lastCheckpoint;
    if (json == null) {
      json = before().checkpoint();
    }
    return json == null ? Optional.empty() : Optional.of(parse("the checkpoint", json, type));
  }

  /**
   * Closes it when the invocation has ended.
   *
   * @param comesBack whether a later attempt may need the last checkpoint; if so, waits until it is
   *     stored, or the attempt is lost
   */
  public void close(boolean comesBack) {
    if (lastCheckpoint != null && comesBack) {
      try {
        answers.awaitUninterruptibly(onLoop(sender::flush));
      } catch (KeepException lostMeanwhile) {
        // The attempt is lost or the worker closed: the end of the attempt says so.
      }
    }
    end(new KeepException(attempt + " has ended: nothing is kept any more", null));
    board.remove(attempt.executionId());
    closed.accept(this);
  }

  @Override
  public void end(KeepException why) {
    over = why;
    loop.execute(() -> sender.end(why));
  }

  private KeptValues before() {
    KeptValues known = before.get();
    if (known != null) {
      return known;
    }
    KeptValues read = new KeptValues(answers.await(onLoop(sender::load), attempt));
    if (before.compareAndSet(null, read) && !read.isEmpty()) {
      attempt.keeps();
    }
    return read;
  }

  private void rethrowTrouble() {
    RuntimeException known = trouble.get();
    if (known != null) {
      throw known;
    }
  }

  private void requireName(String name) {
    String wrong = KeepRequest.faultOfName(name);
    if (wrong != null) {
      throw fault(String.valueOf(name), "the name " + wrong, null);
    }
  }

  private NotRetryableException fault(String name, String why, @Nullable Throwable cause) {
    return new NotRetryableException("%s: step '%s': %s".formatted(attempt, name, why), cause);
  }

  private <T> CompletableFuture<T> onLoop(Supplier<CompletableFuture<T>> call) {
    KeepException ended = over;
    if (ended != null) {
      return CompletableFuture.failedFuture(ended);
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    loop.execute(
        () -> {
          var unused =
              call.get()
                  .whenComplete(
                      (value, failure) -> {
                        if (failure == null) {
                          answer.complete(value);
                        } else {
                          answer.completeExceptionally(failure);
                        }
                      });
        });
    return answer;
  }
}
