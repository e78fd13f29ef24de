package io.millrace.jobtracker.wiring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.millrace.internal.lifecycle.NamedThreads;
import io.millrace.internal.lifecycle.ServiceGroup;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.RpcServer;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.internal.rpc.TlsIdentity;
import io.millrace.internal.rpc.Token;
import io.millrace.internal.rpc.netty.NettyRpcConnector;
import io.millrace.internal.rpc.netty.NettyRpcServer;
import io.millrace.internal.time.ClockCorrection;
import io.millrace.internal.time.DisciplinedClock;
import io.millrace.internal.time.Pace;
import io.millrace.internal.time.RepeatedTimer;
import io.millrace.internal.time.SystemClock;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.WheelTimer;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.engine.Timers;
import io.millrace.jobtracker.observe.TrackerObserver;
import io.millrace.jobtracker.store.DatabaseTime;
import io.millrace.jobtracker.store.StoreHealth;
import io.millrace.jobtracker.store.jdbc.JdbcStores;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.jobtracker.store.jdbc.h2.FileCompaction;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a standalone tracker: a database and a clock that follows it, the timer wheel,
 * threads and a port. There are as many threads as connections in the store's pool, so that no
 * thread waits for a connection. The thread that renews the lease is an additional one, with an
 * additional connection.
 */
public final class StandaloneRuntime implements AutoCloseable {
  private static final Duration DISCIPLINE_PERIOD = Duration.ofSeconds(5);
  private static final Duration COMPACTION_PERIOD = Duration.ofSeconds(2);
  private static final int PEER_THREADS = 1;
  private static final int LEASE_THREADS = 1;
  private static final int READINGS = 5;
  private static final Duration QUICK = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final TrackerRuntime runtime;
  private final StoreHealth storeHealth;
  private final ServiceGroup services;

  private StandaloneRuntime(
      TrackerRuntime runtime, StoreHealth storeHealth, ServiceGroup services) {
    this.runtime = runtime;
    this.storeHealth = storeHealth;
    this.services = services;
  }

  /**
   * Opens the parts: the database first, because most failures occur there.
   *
   * @param observing makes an observer of the tracker; null for none
   */
  public static StandaloneRuntime open(
      JobTrackerConfig config, MeterRegistry meters, TrackerObserver.@Nullable Factory observing) {
    ServiceGroup services = new ServiceGroup("tracker runtime", PATIENCE, Runnable::run);
    StoreConfig store =
        config.store().withMoreConnections(LEASE_THREADS + config.moreConnections());
    JdbcStores database = JdbcStores.open(store, new SystemClock(), meters);
    services.addOpen("database", database::close);
    try {
      return furnish(config, database, services, roundTrip(meters), observing);
    } catch (RuntimeException | Error e) {
      services.close();
      throw e;
    }
  }

  private static Timer roundTrip(MeterRegistry meters) {
    return Timer.builder("millrace.store.round.trip")
        .description("how long the database took to return its time")
        .register(meters);
  }

  private static StandaloneRuntime furnish(
      JobTrackerConfig config,
      JdbcStores database,
      ServiceGroup services,
      Timer roundTrip,
      TrackerObserver.@Nullable Factory observing) {
    DatabaseTime databaseTime = database.stores().time();
    DisciplinedClock clock = new DisciplinedClock(new SystemClock());
    ClockCorrection first = readClock(clock, databaseTime);
    roundTrip.record(first.roundTrip());
    WheelTimer wheel = new WheelTimer("millrace-wheel");
    services.addOpen("wheel", wheel::close);
    ExecutorService executor =
        Executors.newFixedThreadPool(
            config.store().poolSize(), NamedThreads.daemon("millrace-tracker"));
    services.addExecutor("threads", executor);
    ExecutorService leaseExecutor =
        Executors.newFixedThreadPool(LEASE_THREADS, NamedThreads.daemon("millrace-lease"));
    services.addExecutor("thread of the lease", leaseExecutor);
    Random random = new Random();
    TimedExecutor time = new TimedExecutor(clock, wheel, executor);
    Timers timers = new Timers(time, random);
    start("clock", follow(databaseTime, clock, roundTrip, timers), services);
    if (database.compaction().isNeeded()) {
      start("compaction", compact(database.compaction(), timers), services);
    }
    String trackerId = config.tracker().trackerId();
    Token secret = Token.of(database.stores().trackers().clusterSecret(newSecret()));
    RpcServerConfig listening = config.rpc().withTokens(config.rpc().tokens().withTracker(secret));
    RpcServer rpc = new NettyRpcServer(listening, trackerId, wheel, clock, config.rpcThreads());
    RpcConnector peers =
        new NettyRpcConnector(asCaller(listening, trackerId, secret), wheel, clock, PEER_THREADS);
    services.addOpen("connections to other trackers", peers::close);
    TrackerRuntime runtime =
        new TrackerRuntime(database.stores(), rpc, time, random, peers, observing, leaseExecutor);
    return new StandaloneRuntime(runtime, database.health(), services);
  }

  private static void start(String name, RepeatedTimer timer, ServiceGroup services) {
    timer.start();
    services.addOpen(name, () -> timer.destroy().join());
  }

  private static RepeatedTimer follow(
      DatabaseTime databaseTime, DisciplinedClock clock, Timer roundTrip, Timers timers) {
    return timers.timer(
        "follow the database's clock",
        Pace.every(DISCIPLINE_PERIOD),
        now -> {
          ClockCorrection correction = readClock(clock, databaseTime);
          roundTrip.record(correction.roundTrip());
          return correction.kind() == ClockCorrection.Kind.STEPPED ? correction : null;
        });
  }

  private static RepeatedTimer compact(FileCompaction compaction, Timers timers) {
    return timers.timer(
        "compact the database's file",
        Pace.every(COMPACTION_PERIOD),
        now -> {
          int unused = compaction.runOnce();
          return null;
        });
  }

  /**
   * Reads the database's time, up to {@code READINGS} times until a round trip is quick: a slow
   * answer gives an inexact time, and a repeated read is usually quick.
   *
   * @return the first correction that found a step of the database's clock, or else the last
   *     correction
   */
  private static ClockCorrection readClock(DisciplinedClock clock, DatabaseTime databaseTime) {
    ClockCorrection read = clock.discipline(databaseTime::databaseNow);
    for (int i = 1; i < READINGS && isVague(read); i++) {
      read = clock.discipline(databaseTime::databaseNow);
    }
    return read;
  }

  private static boolean isVague(ClockCorrection read) {
    return read.kind() != ClockCorrection.Kind.STEPPED && read.roundTrip().compareTo(QUICK) > 0;
  }

  /**
   * Makes a secret of 256 bits. The secret of the first tracker of a store holds for all trackers.
   */
  private static String newSecret() {
    byte[] bits = new byte[32];
    new SecureRandom().nextBytes(bits);
    return HexFormat.of().formatHex(bits);
  }

  /** The configuration for calls to other trackers: with TLS if this tracker listens with TLS. */
  private static RpcConnectorConfig asCaller(RpcServerConfig rpc, String trackerId, Token secret) {
    TlsIdentity tls = rpc.tls();
    ConnectionLimits usual = ConnectionLimits.OF_CALLER;
    return new RpcConnectorConfig(
        NodeRole.TRACKER,
        trackerId,
        "",
        secret,
        tls == null ? null : tls.ofPeers(),
        new ConnectionLimits(
            rpc.limits().maxFrameBytes(),
            usual.maxRequestsUnderWay(),
            rpc.limits().maxUnsentBytes(),
            usual.handshakeTimeout(),
            usual.idleTimeout(),
            ConnectionLimits.FRAME_TIMEOUT));
  }

  /** The parts to make the tracker from. */
  public TrackerRuntime runtime() {
    return runtime;
  }

  /** Whether the database answers. */
  public StoreHealth storeHealth() {
    return storeHealth;
  }

  @Override
  public void close() {
    services.close();
  }
}
