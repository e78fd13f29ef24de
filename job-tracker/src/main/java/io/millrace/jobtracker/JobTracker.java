package io.millrace.jobtracker;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.api.TrackerHealth;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.jobtracker.cluster.TrackerLease;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.metrics.TrackerMetrics;
import io.millrace.jobtracker.observe.TrackerObserver;
import io.millrace.jobtracker.request.RequestTable;
import io.millrace.jobtracker.store.StoreHealth;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TrackerStore;
import io.millrace.jobtracker.wiring.Engine;
import io.millrace.jobtracker.wiring.StandaloneRuntime;
import io.millrace.jobtracker.wiring.TrackerRuntime;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tracker: receives jobs, writes their triggers, assigns them to workers on time and records the
 * results.
 *
 * <p>{@link #create} makes a standalone tracker with its own database, network and threads. {@link
 * #over} makes a tracker over parts that the caller provides and drives. Start a tracker once and
 * close it once; a second close, or a close without a start, does nothing. Thread-safe.
 */
public final class JobTracker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JobTracker.class);
  private static final long STOP_SECONDS = 30;

  private final TrackerSettings settings;
  private final TrackerRuntime runtime;
  private final StoreHealth storeHealth;
  private final TrackerMetrics metrics;
  private final Runnable closeRuntime;
  private final CompletableFuture<Void> terminated = new CompletableFuture<>();
  private final RequestTable requests;
  private volatile @Nullable Engine engine;
  private @Nullable TrackerLease lease;
  private @Nullable String address;
  private boolean closed;

  private JobTracker(
      TrackerSettings settings,
      TrackerRuntime runtime,
      StoreHealth storeHealth,
      TrackerMetrics metrics,
      Runnable closeRuntime) {
    this.settings = settings;
    this.runtime = runtime;
    this.storeHealth = storeHealth;
    this.metrics = metrics;
    this.closeRuntime = closeRuntime;
    this.requests = new RequestTable(storeHealth, runtime.time().clock());
  }

  /**
   * Makes a tracker with its own database connection, threads and port. It counts in its own meter
   * registry, see {@link #metrics}.
   *
   * @throws io.millrace.jobtracker.store.failure.StoreException if the database cannot be reached
   *     or migrated
   */
  public static JobTracker create(JobTrackerConfig config) {
    return create(config, null, null);
  }

  /**
   * As {@link #create(JobTrackerConfig)}, and also counts in the caller's registry.
   *
   * @param meters the caller's registry, for one tracker at a time; docs/monitoring.md lists the
   *     meters
   * @throws io.millrace.jobtracker.store.failure.StoreException if the database cannot be reached
   *     or migrated
   */
  public static JobTracker create(JobTrackerConfig config, MeterRegistry meters) {
    return create(config, meters, null);
  }

  /**
   * As {@link #create(JobTrackerConfig)}, with an observer, for example one that sends alerts.
   *
   * @param meters a further registry to count in; null for none
   * @param observing makes the observer; null for none
   * @throws io.millrace.jobtracker.store.failure.StoreException if the database cannot be reached
   *     or migrated
   */
  public static JobTracker create(
      JobTrackerConfig config,
      @Nullable MeterRegistry meters,
      TrackerObserver.@Nullable Factory observing) {
    OpenFiles.ofThisProcess()
        .shortage(config.rpc().together().maxConnections(), "rpc.max-connections is")
        .ifPresent(shortage -> LOG.warn("tracker: {}", shortage));
    TrackerMetrics metrics = meters == null ? TrackerMetrics.own() : TrackerMetrics.beside(meters);
    try {
      StandaloneRuntime own = StandaloneRuntime.open(config, metrics.registry(), observing);
      return new JobTracker(
          config.tracker(), own.runtime(), own.storeHealth(), metrics, own::close);
    } catch (RuntimeException | Error e) {
      metrics.close();
      throw e;
    }
  }

  /**
   * Makes a tracker over parts that the caller owns and closes. The tracker starts no thread and
   * counts nothing.
   */
  public static JobTracker over(TrackerSettings settings, TrackerRuntime runtime) {
    return new JobTracker(
        settings, runtime, StoreHealth.UNWATCHED, TrackerMetrics.unwatched(), () -> {});
  }

  /**
   * Starts to listen and to serve node groups.
   *
   * @throws RpcException if the tracker cannot listen
   * @throws IllegalStateException if stored jobs need a newer version of the software
   */
  public synchronized void start() {
    if (closed || address != null) {
      throw new IllegalStateException("a tracker can be started only once");
    }
    try {
      String at = runtime.rpc().start(requests, this::connected);
      address = at;
      TrackerLease acquired =
          TrackerLease.acquire(
              runtime.stores().trackers(),
              settings.trackerId(),
              TrackerStore.STARTING,
              runtime.time().clock(),
              settings.service().trackerLease(),
              this::leaseLost);
      lease = acquired;
      acquired.checkLevel();
      Engine started = Engine.of(settings, runtime, storeHealth, acquired, at, metrics, requests);
      engine = started;
      requests.open(started::trackers);
      acquired.announce(at);
      started.start();
      LOG.info(
          "tracker: number {} listens at {}, feature level {}",
          acquired.number(),
          at,
          FeatureLevel.OWN);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** The address at which nodes reach this tracker, as host:port. */
  public synchronized String address() {
    if (address == null) {
      throw new IllegalStateException("the tracker has not been started");
    }
    return address;
  }

  /**
   * The operations for operators, for example for a console.
   *
   * @throws IllegalStateException if it is not running
   */
  public TrackerOperations operations() {
    return new EngineOperations(runtime, running(), requests, metrics, settings.defaultZone());
  }

  /**
   * The health of this tracker, from memory.
   *
   * @throws IllegalStateException if it is not running
   */
  public TrackerHealth health() {
    return running().health();
  }

  /** The meters of this tracker, from its creation until it is closed. */
  public TrackerMetrics metrics() {
    return metrics;
  }

  /**
   * Writes a new trigger in place of a dead one. Each dead trigger is replayed at most once.
   *
   * @param deadId the id of the dead trigger, which is the id of its last execution
   * @param params new parameters; null for the job's current ones if the schedule made the trigger,
   *     or else the previous ones
   * @param by the name of the requester, to be recorded
   * @return the result of the replay, after the commit
   * @throws IllegalStateException if the tracker is not running
   */
  public CompletionStage<ReplayResult> replay(
      long deadId, @Nullable Map<String, String> params, String by) {
    return running().replay(deadId, params, by);
  }

  /**
   * Replays a dead run that was split, without the parts that succeeded: the new run takes over
   * what they returned. Each dead trigger is replayed at most once.
   *
   * @param deadId the id of the dead trigger, which is the id of its batch
   * @param by the name of the requester, to be recorded
   * @return the result of the replay, after the commit
   * @throws IllegalStateException if the tracker is not running
   */
  public CompletionStage<ReplayResult> replayKeeping(long deadId, String by) {
    return running().replayKeeping(deadId, by);
  }

  private Engine running() {
    Engine running = engine;
    if (running == null) {
      throw new IllegalStateException("the tracker is not running");
    }
    return running;
  }

  /** The stores of this tracker. */
  public Stores stores() {
    return runtime.stores();
  }

  /**
   * Completes when the tracker has stopped: normally after {@link #close}, exceptionally with the
   * failure that stopped it.
   */
  public CompletableFuture<Void> terminated() {
    return terminated;
  }

  private void connected(Session session) {
    Engine started = engine;
    if (started == null) {
      session.close();
    } else {
      started.connected(session);
    }
  }

  /** Stops the tracker: another tracker may now use its number, so it must not issue another id. */
  private void leaseLost(String why) {
    LOG.error("tracker: {}; stopping", why);
    terminated.completeExceptionally(new IllegalStateException(why));
    runtime.rpc().close();
    Engine running = engine;
    if (running != null) {
      // A duty calls this, and must not wait for its own end. close() waits for the end.
      CompletableFuture<Void> unused = running.stop();
    }
  }

  /** Hands the node groups over, waits for commits under way, and stops. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    Engine running = engine;
    requests.close();
    engine = null;
    if (running != null) {
      attempt("stop serving", () -> await(running.stop()));
    }
    attempt("close the network", () -> runtime.rpc().close());
    TrackerLease held = lease;
    if (held != null) {
      attempt("release the lease", held::release);
    }
    attempt("close the runtime", closeRuntime);
    attempt("close the meters", metrics::close);
    boolean unused = terminated.complete(null);
    LOG.info("tracker: stopped");
  }

  private static void await(CompletableFuture<Void> stopped) {
    try {
      stopped.get(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      LOG.warn(
          "tracker: a duty is still running after {} s; stopping without waiting for it",
          STOP_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (java.util.concurrent.ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private static void attempt(String what, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      LOG.warn("tracker: could not {} cleanly", what, e);
    }
  }
}
