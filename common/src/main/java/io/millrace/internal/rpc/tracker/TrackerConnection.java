package io.millrace.internal.rpc.tracker;

import io.millrace.internal.lifecycle.SerialExecutor;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.Ping;
import io.millrace.internal.protocol.PingReply;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.RequestHandler;
import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.time.Timer;
import io.millrace.internal.time.Timer.Timeout;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one session to one of several trackers: connects, reconnects when the session is lost, and
 * retries until closed. Learns the addresses of other trackers from the connected one, and fails
 * over to any of them. A slow address does not delay the attempts at the others for long. Calls do
 * not wait for a connection: without one they fail at once. All changes happen on one serial
 * executor; the public methods are thread-safe.
 */
public final class TrackerConnection implements TrackerLink, TrackerCaller {
  private static final Logger LOG = LoggerFactory.getLogger(TrackerConnection.class);

  /**
   * Largest share by which a pause is shortened at random, so that nodes do not all reconnect at
   * once.
   */
  private static final double JITTER = 0.5;

  /** How long an attempt may take before the next address is tried beside it. */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  /** Time between two requests for the list of trackers. */
  static final Duration DISCOVERY_PERIOD = Duration.ofSeconds(10);

  private final RpcConnector connector;
  private final RequestHandler handler;
  private final TrackerConnectionConfig config;
  private final Timer timer;
  private final Executor tasks;
  private final Random random;
  private final KnownTrackers known;
  private final List<TrackerConnectionListener> listeners = new CopyOnWriteArrayList<>();
  private volatile @Nullable Session session;
  private volatile @Nullable RpcException lastFailure;
  private volatile @Nullable RpcException refusedBy;
  private volatile CompletableFuture<Session> nextSession = new CompletableFuture<>();
  private volatile boolean closed;
  private final Set<String> logged = new HashSet<>();
  private int failedRounds;
  private int attempts;
  private boolean resting = true;
  private @Nullable RpcException refusal;
  private @Nullable String movingTo;
  private volatile @Nullable Timeout retry;
  private volatile @Nullable Timeout discovery;

  /**
   * Makes a connection; it does nothing until it is started.
   *
   * @param connector opens the sessions; the caller closes it
   * @param handler answers the requests of trackers
   * @param executor runs changes and listeners
   * @param random source for the jitter of pauses and the order of addresses
   */
  public TrackerConnection(
      RpcConnector connector,
      RequestHandler handler,
      TrackerConnectionConfig config,
      Timer timer,
      Executor executor,
      Random random) {
    this.connector = connector;
    this.handler = handler;
    this.config = config;
    this.timer = timer;
    this.tasks = new SerialExecutor("rpc", executor);
    this.random = random;
    this.known = new KnownTrackers(config.addresses(), random);
  }

  @Override
  public void addListener(TrackerConnectionListener listener) {
    listeners.add(listener);
  }

  @Override
  public void start() {
    tasks.execute(this::beginAttempts);
  }

  @Override
  public <R> CompletableFuture<R> call(Request<R> request, Duration timeout) {
    Session current = session;
    return current == null
        ? CompletableFuture.failedFuture(notConnected())
        : current.call(request, timeout);
  }

  @Override
  public @Nullable Session session() {
    return session;
  }

  /**
   * Why the last attempt to connect failed, or the refusal of the present round if there was one;
   * null while connected or before a failure.
   */
  @Nullable RpcException lastFailure() {
    return lastFailure;
  }

  @Override
  public @Nullable RpcException refusal() {
    return refusedBy;
  }

  @Override
  public String describe() {
    Session current = session;
    if (current != null) {
      return "connected to the tracker at " + current.peer().address();
    }
    RpcException last = lastFailure;
    return "not connected to any tracker of "
        + config.addresses()
        + (last == null ? "" : ": " + last.getMessage());
  }

  @Override
  public void prefer(String address) {
    tasks.execute(() -> moveTo(address));
  }

  @Override
  public void preferAnother() {
    tasks.execute(
        () -> {
          Session current = session;
          String other = current == null ? null : known.otherThan(current.peer().address());
          if (other != null) {
            moveTo(other);
          }
        });
  }

  /**
   * Waits until a tracker is connected.
   *
   * @throws RpcException UNAVAILABLE if no tracker is connected in time; with the tracker's code if
   *     a round of attempts ends with a rejection of this node for its token or its version
   */
  public Session awaitConnected(Duration timeout) {
    try {
      return nextSession.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw notConnected();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RpcException refused ? refused : notConnected();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RpcException(ErrorCode.UNAVAILABLE, "interrupted while waiting for a tracker", e);
    }
  }

  private void beginAttempts() {
    resting = false;
    connectNext();
  }

  /**
   * Tries the next address of the round, and the one after it when this one has failed or is slow.
   */
  private void connectNext() {
    if (closed || resting || session != null) {
      return;
    }
    String address = known.next();
    if (address == null) {
      if (attempts == 0) {
        roundFailed();
      }
      return;
    }
    attempts++;
    Timeout patience = timer.schedule(PATIENCE, tasks, this::connectNext);
    connector
        .connect(address, handler)
        .whenCompleteAsync(
            (opened, failure) -> {
              attempts--;
              patience.cancel();
              attempted(address, opened, failure);
            },
            tasks);
  }

  private void attempted(String address, @Nullable Session opened, @Nullable Throwable failure) {
    if (opened != null && session == null) {
      adopt(address, opened);
    } else if (opened != null) {
      opened.close();
    } else if (!closed) {
      failed(address, asRpcException(failure));
      connectNext();
    }
  }

  private void failed(String address, RpcException failure) {
    boolean outranks = refusal == null || isRefusal(failure);
    lastFailure = outranks ? failure : refusal;
    refusal = isRefusal(failure) ? failure : refusal;
    log(address, failure);
  }

  /**
   * Ends a round in which every address failed. If one of them rejected this node, waiting callers
   * receive that rejection.
   */
  private void roundFailed() {
    RpcException met = refusal;
    refusedBy = met;
    refusal = null;
    if (met != null) {
      nextSession.completeExceptionally(met);
      listeners.forEach(listener -> listener.refused(met));
    }
    failedRounds++;
    known.beginRound(null);
    restFor(config.backoff(failedRounds));
  }

  private void moveTo(String address) {
    Session current = session;
    boolean isThere = current != null && current.peer().address().equals(address);
    if (closed || address.equals(movingTo)) {
      return;
    }
    movingTo = isThere ? null : address;
    if (!isThere) {
      connector
          .connect(address, handler)
          .whenCompleteAsync((opened, failure) -> moved(address, opened, failure), tasks);
    }
  }

  private void moved(String address, @Nullable Session opened, @Nullable Throwable failure) {
    boolean wanted = address.equals(movingTo);
    if (wanted) {
      movingTo = null;
    }
    if (opened != null && (wanted || session == null)) {
      adopt(address, opened);
    } else if (opened != null) {
      opened.close();
    } else {
      log(address, asRpcException(failure));
    }
  }

  private void adopt(String address, Session opened) {
    if (closed) {
      opened.close();
      return;
    }
    Session previous = session;
    session = opened;
    failedRounds = 0;
    lastFailure = null;
    refusedBy = null;
    refusal = null;
    logged.clear();
    opened.onClose(() -> tasks.execute(() -> lost(opened)));
    LOG.info("rpc: connected to tracker {} at {}", opened.peer().nodeId(), address);
    if (!nextSession.complete(opened)) {
      nextSession = CompletableFuture.completedFuture(opened);
    }
    if (previous != null) {
      previous.close();
    }
    if (closed) {
      opened.close();
    }
    listeners.forEach(listener -> listener.connected(opened));
    askForTrackers(opened);
  }

  /** Requests the list of trackers, now and periodically while this session is in use. */
  private void askForTrackers(Session asked) {
    if (closed || session != asked) {
      return;
    }
    CompletableFuture<Void> unused =
        asked
            .call(new Ping(), DISCOVERY_PERIOD)
            .handleAsync((reply, failure) -> learn(asked, reply), tasks);
    discovery = timer.schedule(DISCOVERY_PERIOD, tasks, () -> askForTrackers(asked));
  }

  @SuppressWarnings("NullAway") // the only value of Void
  private Void learn(Session asked, @Nullable PingReply reply) {
    if (reply != null && session == asked && known.learn(reply.trackers())) {
      LOG.info("rpc: the known trackers are {}", known.all());
    }
    return null;
  }

  private void lost(Session gone) {
    if (session != gone) {
      return;
    }
    session = null;
    if (!closed) {
      nextSession = new CompletableFuture<>();
      LOG.warn("rpc: lost tracker {} at {}", gone.peer().nodeId(), gone.peer().address());
      known.beginRound(gone.peer().address());
      restFor(config.firstBackoff());
    }
    listeners.forEach(TrackerConnectionListener::disconnected);
  }

  /** Logs each kind of failure of an address once until a tracker is connected. */
  private void log(String address, RpcException failure) {
    boolean isNews = logged.add(address + " " + failure.code());
    if (!isNews || closed) {
      LOG.debug("rpc: no connection to {}: {}", address, failure.getMessage());
    } else if (isRefusal(failure)) {
      LOG.error("rpc: connection refused: {}; retrying", failure.getMessage());
    } else {
      LOG.warn("rpc: {}; retrying {}", failure.getMessage(), known.all());
    }
  }

  private void restFor(Duration pause) {
    resting = true;
    retry = timer.schedule(spread(pause), tasks, this::beginAttempts);
  }

  private Duration spread(Duration pause) {
    double factor = 1 - JITTER * random.nextDouble();
    return Duration.ofNanos((long) (pause.toNanos() * factor));
  }

  /** Whether a retry is useless until a configuration changes. */
  private static boolean isRefusal(RpcException failure) {
    return failure.code() == ErrorCode.UNAUTHENTICATED
        || failure.code() == ErrorCode.VERSION_MISMATCH;
  }

  private RpcException notConnected() {
    RpcException last = lastFailure;
    String why = last == null ? "" : "; last failure: " + last.getMessage();
    return new RpcException(
        ErrorCode.UNAVAILABLE, "not connected to any tracker of " + config.addresses() + why, last);
  }

  private static RpcException asRpcException(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof RpcException known
        ? known
        : new RpcException(ErrorCode.UNAVAILABLE, "cannot connect: " + cause, cause);
  }

  @Override
  public void close() {
    closed = true;
    Timer.cancel(retry);
    Timer.cancel(discovery);
    Session current = session;
    if (current != null) {
      current.close();
    }
    nextSession =
        CompletableFuture.failedFuture(
            new RpcException(ErrorCode.UNAVAILABLE, "this connection is closed"));
  }
}
