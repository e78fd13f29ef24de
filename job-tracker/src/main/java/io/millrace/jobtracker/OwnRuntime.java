package io.millrace.jobtracker;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.common.lifecycle.NamedThreads;
import io.millrace.common.lifecycle.ServiceGroup;
import io.millrace.common.rpc.NettyRpcServer;
import io.millrace.common.rpc.RpcServer;
import io.millrace.common.time.ClockCorrection;
import io.millrace.common.time.DisciplinedClock;
import io.millrace.common.time.Pace;
import io.millrace.common.time.RepeatedTimer;
import io.millrace.common.time.SystemClock;
import io.millrace.common.time.TimedExecutor;
import io.millrace.common.time.WheelTimer;
import io.millrace.jobtracker.store.DatabaseTime;
import io.millrace.jobtracker.store.StoreHealth;
import io.millrace.jobtracker.store.jdbc.JdbcStores;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What a tracker that stands on its own stands on: a database and a clock that follows it, the
 * wheel, threads and a port. As many threads as connections, so that none waits for one.
 */
final class OwnRuntime implements AutoCloseable {
  private static final Duration DISCIPLINE_PERIOD = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final TrackerRuntime runtime;
  private final StoreHealth storeHealth;
  private final ServiceGroup services;

  private OwnRuntime(TrackerRuntime runtime, StoreHealth storeHealth, ServiceGroup services) {
    this.runtime = runtime;
    this.storeHealth = storeHealth;
    this.services = services;
  }

  /** Opens the database first, because most goes wrong there. */
  static OwnRuntime open(JobTrackerConfig config, MeterRegistry meters) {
    ServiceGroup services = new ServiceGroup("tracker runtime", PATIENCE, Runnable::run);
    JdbcStores database = JdbcStores.open(config.store(), new SystemClock(), meters);
    services.addOpen("database", database::close);
    try {
      return furnish(config, database, services);
    } catch (RuntimeException | Error e) {
      services.close();
      throw e;
    }
  }

  private static OwnRuntime furnish(
      JobTrackerConfig config, JdbcStores database, ServiceGroup services) {
    DatabaseTime databaseTime = database.stores().time();
    DisciplinedClock clock = new DisciplinedClock(new SystemClock());
    clock.discipline(databaseTime::databaseNow);
    WheelTimer wheel = new WheelTimer("millrace-wheel");
    services.addOpen("wheel", wheel::close);
    ExecutorService executor =
        Executors.newFixedThreadPool(
            config.store().poolSize(), NamedThreads.daemon("millrace-tracker"));
    services.addExecutor("threads", executor);
    Random random = new Random();
    RepeatedTimer discipline =
        new RepeatedTimer(
            "follow the database's clock",
            wheel,
            executor,
            clock,
            Pace.every(DISCIPLINE_PERIOD),
            random,
            now -> {
              ClockCorrection correction = clock.discipline(databaseTime::databaseNow);
              return correction.kind() == ClockCorrection.Kind.STEPPED ? correction : null;
            });
    discipline.start();
    services.addOpen("clock", () -> discipline.destroy().join());
    RpcServer rpc =
        new NettyRpcServer(
            config.rpc(), config.tracker().trackerId(), wheel, clock, config.rpcThreads());
    TrackerRuntime runtime =
        new TrackerRuntime(
            database.stores(), rpc, new TimedExecutor(clock, wheel, executor), random);
    return new OwnRuntime(runtime, database.health(), services);
  }

  TrackerRuntime runtime() {
    return runtime;
  }

  StoreHealth storeHealth() {
    return storeHealth;
  }

  @Override
  public void close() {
    services.close();
  }
}
