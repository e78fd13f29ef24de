package io.millrace.jobtracker.faults;

import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.RequestType;
import io.millrace.internal.rpc.RequestHandler;
import io.millrace.internal.rpc.RpcCounts;
import io.millrace.internal.rpc.RpcServer;
import io.millrace.internal.rpc.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The network side of a tracker, which loses a reply when a test says so. */
final class FragileServer implements RpcServer {

  /** Counts the replies of one run, over all the trackers there are in it. For one thread. */
  static final class Replies {
    private final List<Point> points = new ArrayList<>();
    private final List<Point> struck = new ArrayList<>();
    private Predicate<Point> strikes = point -> false;
    private Fault fault = Fault.REPLY_LOST;

    void begin(Predicate<Point> which, Fault how) {
      points.clear();
      struck.clear();
      strikes = which;
      fault = how;
    }

    List<Point> points() {
      return List.copyOf(points);
    }

    /** What was struck in this run. */
    List<Point> struck() {
      return List.copyOf(struck);
    }

    private @Nullable Fault next(RequestType type) {
      Point point = Point.following(points, "reply to " + type);
      points.add(point);
      if (!strikes.test(point)) {
        return null;
      }
      struck.add(point);
      return fault.isAtCommit() ? null : fault;
    }
  }

  private final RpcServer real;
  private final Replies replies;
  private final Runnable halt;
  private boolean alive = true;

  /**
   * @param halt ends the tracker's process
   */
  FragileServer(RpcServer real, Replies replies, Runnable halt) {
    this.real = real;
    this.replies = replies;
    this.halt = halt;
  }

  @Override
  public String start(RequestHandler handler, Consumer<Session> onSession) {
    return real.start(
        new RequestHandler() {
          @Override
          public <R> CompletionStage<R> handle(Session session, Request<R> request) {
            CompletableFuture<R> sent = new CompletableFuture<>();
            if (alive) {
              handler
                  .handle(session, request)
                  .whenComplete((reply, failure) -> send(session, request, sent, reply, failure));
            }
            return sent;
          }
        },
        onSession);
  }

  private <R> void send(
      Session session,
      Request<R> request,
      CompletableFuture<R> sent,
      @Nullable R reply,
      @Nullable Throwable failure) {
    if (!alive) {
      return;
    }
    if (failure != null) {
      sent.completeExceptionally(failure);
      return;
    }
    Fault fault = replies.next(RequestType.of(request));
    if (fault == Fault.REPLY_LOST) {
      session.close();
    } else if (fault == Fault.HALT_BEFORE_REPLY) {
      halt.run();
    } else {
      sent.complete(reply);
      if (fault == Fault.HALT_AFTER_REPLY) {
        halt.run();
      }
    }
  }

  /** The process is gone: its connections are closed, and nothing of it answers any more. */
  void die() {
    alive = false;
    real.close();
  }

  @Override
  public RpcCounts counts() {
    return real.counts();
  }

  @Override
  public void close() {
    real.close();
  }
}
