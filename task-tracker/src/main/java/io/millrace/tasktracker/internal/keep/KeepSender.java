package io.millrace.tasktracker.internal.keep;

import io.millrace.api.KeepException;
import io.millrace.internal.protocol.KeepReply;
import io.millrace.internal.protocol.KeepRequest;
import io.millrace.internal.protocol.KeepStatus;
import io.millrace.internal.protocol.KeptKind;
import io.millrace.internal.protocol.KeptReply;
import io.millrace.internal.protocol.KeptRequest;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends what one attempt keeps, one value at a time, each under its number until it is answered or
 * the attempt is lost. Of checkpoints that wait, only the last is sent, at most one a second.
 *
 * <p>Confined to the loop; the futures complete on it.
 */
final class KeepSender {
  /** The shortest time between two checkpoints. */
  static final Duration CHECKPOINT_PACE = Duration.ofSeconds(1);

  /** A value on its way; each is itself, even if two have the same content. */
  private static final class Write {
    private final KeptKind kind;
    private final @Nullable String name;
    private final @Nullable String value;
    private final CompletableFuture<KeepStatus> answer = new CompletableFuture<>();

    private Write(KeptKind kind, @Nullable String name, @Nullable String value) {
      this.kind = kind;
      this.name = name;
      this.value = value;
    }
  }

  private final long executionId;
  private final RepeatedRequests requests;
  private final TimedExecutor loop;
  private final Deque<Write> steps = new ArrayDeque<>();
  private final CompletableFuture<KeptReply> loaded = new CompletableFuture<>();
  private boolean loading;
  private @Nullable Write checkpoint;
  private @Nullable Write underWay;
  private @Nullable RuntimeException over;
  private Timer.@Nullable Timeout nextCheckpoint;
  private long checkpointSentAt;
  private boolean paced;
  private long acknowledged;
  private CompletableFuture<Void> idle = CompletableFuture.completedFuture(null);

  KeepSender(long executionId, RepeatedRequests requests, TimedExecutor loop) {
    this.executionId = executionId;
    this.requests = requests;
    this.loop = loop;
  }

  /** Asks what earlier attempts kept; only the first call sends a request. */
  CompletableFuture<KeptReply> load() {
    if (over != null) {
      loaded.completeExceptionally(over);
    } else if (!loading) {
      loading = true;
      requests.send(
          new KeptRequest(executionId),
          this::heard,
          (refusal, sentBefore) -> loaded.completeExceptionally(refusal));
    }
    return loaded;
  }

  private void heard(KeptReply reply) {
    if (reply.status() == KeepStatus.KEPT) {
      loaded.complete(reply);
    } else {
      end(lost());
    }
  }

  /** Sends the value of a step, after the values before it. */
  CompletableFuture<KeepStatus> step(KeptKind kind, String name, @Nullable String value) {
    Write write = new Write(kind, name, value);
    if (over != null) {
      write.answer.completeExceptionally(over);
    } else {
      steps.add(write);
      next();
    }
    return write.answer;
  }

  /**
   * Sends a checkpoint in place of one that still waits. The future of one that was replaced
   * completes at once, as kept: what becomes of both is told with the later one, and nothing holds
   * the values of those before it.
   */
  CompletableFuture<KeepStatus> checkpoint(String value) {
    Write before = checkpoint;
    Write write = new Write(KeptKind.CHECKPOINT, null, value);
    if (over != null) {
      write.answer.completeExceptionally(over);
      return write.answer;
    }
    checkpoint = write;
    if (before != null) {
      before.answer.complete(KeepStatus.KEPT);
    }
    if (idle.isDone()) {
      idle = new CompletableFuture<>();
    }
    next();
    return write.answer;
  }

  /** Sends the checkpoint that waits at once; completes when none waits or is under way. */
  CompletableFuture<Void> flush() {
    paced = false;
    next();
    return idle;
  }

  /** Ends it: nothing is sent any more, and what waits fails. */
  void end(RuntimeException why) {
    if (over != null) {
      return;
    }
    over = why;
    requests.end(why);
    Timer.cancel(nextCheckpoint);
    loaded.completeExceptionally(why);
    if (underWay != null) {
      underWay.answer.completeExceptionally(why);
    }
    steps.forEach(write -> write.answer.completeExceptionally(why));
    steps.clear();
    if (checkpoint != null) {
      checkpoint.answer.completeExceptionally(why);
    }
    underWay = null;
    checkpoint = null;
    idle.complete(null);
  }

  private void next() {
    if (underWay != null || over != null) {
      return;
    }
    Write write = steps.poll();
    if (write == null) {
      write = dueCheckpoint();
    }
    if (write != null) {
      underWay = write;
      transmit(write);
    } else if (checkpoint == null) {
      idle.complete(null);
    }
  }

  private @Nullable Write dueCheckpoint() {
    Write waiting = checkpoint;
    if (waiting == null) {
      return null;
    }
    long now = loop.clock().nanoTime();
    long rest = paced ? CHECKPOINT_PACE.toNanos() - (now - checkpointSentAt) : 0;
    if (rest > 0) {
      Timer.cancel(nextCheckpoint);
      nextCheckpoint = loop.schedule(Duration.ofNanos(rest), this::next);
      return null;
    }
    checkpointSentAt = now;
    paced = true;
    checkpoint = null;
    return waiting;
  }

  private void transmit(Write write) {
    requests.send(
        new KeepRequest(executionId, acknowledged + 1, write.kind, write.name, write.value),
        reply -> answered(write, reply),
        (refusal, sentBefore) -> refused(write, refusal, sentBefore));
  }

  /**
   * A request that was sent before and not answered may be stored under its number. Another value
   * under this number would be taken for it, and acknowledged without being stored.
   */
  private void refused(Write write, KeepException refusal, boolean sentBefore) {
    if (sentBefore) {
      end(refusal);
      return;
    }
    underWay = null;
    write.answer.completeExceptionally(refusal);
    next();
  }

  private void answered(Write write, KeepReply reply) {
    if (reply.status() == KeepStatus.LOST) {
      end(lost());
      return;
    }
    if (reply.status() == KeepStatus.KEPT) {
      acknowledged++;
    }
    underWay = null;
    write.answer.complete(reply.status());
    next();
  }

  private KeepException lost() {
    return new KeepException(
        "execution " + executionId + " no longer belongs to this worker: nothing is kept", null);
  }
}
