package io.millrace.jobclient;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.internal.config.Bounds;
import io.millrace.internal.time.Pace;
import io.millrace.internal.time.RepeatedTimer;
import io.millrace.internal.time.Timer;
import io.millrace.jobclient.internal.metrics.RelayMeters;
import io.millrace.jobclient.internal.relay.DatabaseClock;
import io.millrace.jobclient.internal.relay.RelayDatabase;
import io.millrace.jobclient.internal.relay.RelayDuty;
import io.millrace.jobclient.internal.relay.RelayMeasures;
import io.millrace.jobclient.internal.relay.RelayTables;
import io.millrace.jobclient.internal.request.RequestContext;
import io.millrace.jobclient.internal.resources.RelayThread;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Submits the jobs that {@link TransactionalJobs} has enqueued, once their transactions have
 * committed.
 *
 * <pre>{@code
 * JobRelay relay = JobRelay.builder(client, dataSource).build();
 * relay.start();
 * }</pre>
 *
 * <p>Every process of the application may run a relay. Leases in the database see to it that a row
 * is sent by one of them; another one takes over when that has ended. Every committed row becomes
 * exactly one job, or ends as said below, however often processes and trackers are killed: a row is
 * deleted only when a tracker has answered, trackers recognize a row that is sent again by its
 * submission id, and a copy of a row that arrives after the answer has no effect.
 *
 * <ul>
 *   <li>While no tracker is connected, rows wait, however long that takes. A row that was first
 *       sent more than 36 h ago and was never answered is not sent again: trackers might have
 *       forgotten it.
 *   <li>Such a row, and one that a tracker rejects or that cannot be read, is moved to the table of
 *       rejected rows with the reason, and logged. It holds up nothing.
 *   <li>The answer DUPLICATE (a job of the task id lives) ends a row like ACCEPTED.
 * </ul>
 *
 * <p>Results of jobs with feedback go to the client group of the relay's client. Thread-safe.
 */
public final class JobRelay implements AutoCloseable {
  private final RelayDuty duty;
  private final Timer time;
  private final RepeatedTimer timer;
  private final Executor executor;
  private final @Nullable RelayThread thread;
  private final @Nullable RelayMeters meters;
  private final Duration stopTimeout;

  /** Wakes the timer for what the last pass left; used by passes only, which do not overlap. */
  private Timer.@Nullable Timeout again;

  private JobRelay(Builder builder) {
    RequestContext context = builder.client.context();
    RelayThread own = builder.executor == null ? new RelayThread() : null;
    this.thread = own;
    this.executor = own == null ? Objects.requireNonNull(builder.executor) : own.executor();
    this.meters =
        builder.registry == null
            ? null
            : new RelayMeters(builder.registry, builder.client.groupName());
    this.duty =
        new RelayDuty(
            context,
            new RelayDatabase(builder.dataSource, DatabaseClock.ITS_OWN),
            new RelayTables(builder.tablePrefix),
            builder.lease,
            meters == null ? RelayMeasures.NONE : meters);
    this.time = context.time().timer();
    this.timer = timer(context, builder.poll);
    this.stopTimeout = builder.stopTimeout;
  }

  private RepeatedTimer timer(RequestContext context, Duration poll) {
    return new RepeatedTimer(
        "relay",
        context.time().timer(),
        executor,
        context.clock(),
        Pace.every(poll),
        context.random(),
        this::look);
  }

  /** One pass of the timer, which looks again as soon as more can be sent. */
  private @Nullable Object look(long nowMillis) {
    Object done = duty.runOnce(nowMillis);
    Timer.cancel(again);
    Duration next = duty.nextLook();
    again = next == null ? null : time.schedule(next, Runnable::run, this::wake);
    return done;
  }

  /**
   * Begins the configuration of a relay.
   *
   * @param client sends the jobs; the relay does not close it, and must be closed before it
   * @param dataSource connections to the database in which jobs are enqueued; the relay uses one at
   *     a time, for a moment, and not one in which a transaction of the application is open
   */
  public static Builder builder(JobClient client, DataSource dataSource) {
    return new Builder(client, dataSource);
  }

  /** Begins to send, at once. Does nothing if the relay runs. */
  public void start() {
    timer.start();
    if (meters != null) {
      meters.show(duty);
    }
    timer.wake();
  }

  /**
   * Looks for committed rows at once, rather than with the next poll. Call it after a commit; a
   * call too many does no harm, and neither does a call before a rollback. Does not block.
   */
  public void wake() {
    timer.wake();
  }

  /**
   * Returns how long the oldest row has waited to be answered, as of the last look; zero if there
   * is none. Grows with time while the database does not answer.
   */
  public Duration lag() {
    return duty.lag().now();
  }

  /**
   * Stops sending, and gives the leases up, so that another relay takes over at once. Waits for the
   * look under way, at most 10 s. The relay can be started again.
   */
  public void stop() {
    halt(timer.stop());
  }

  private void halt(CompletableFuture<Void> ended) {
    CompletableFuture<Void> released = ended.thenRunAsync(duty::release, executor);
    try {
      Object unused = released.get(stopTimeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // The leases end by themselves.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (meters != null) {
      meters.close();
    }
  }

  /** Stops, as {@link #stop} does, for ever. Idempotent. */
  @Override
  public void close() {
    halt(timer.destroy());
    if (thread != null) {
      thread.close();
    }
  }

  /** Configures and builds a {@link JobRelay}. Not thread-safe. */
  public static final class Builder {
    private final JobClient client;
    private final DataSource dataSource;
    private String tablePrefix = RelayTables.DEFAULT_PREFIX;
    private Duration poll = Duration.ofMillis(500);
    private Duration lease = Duration.ofSeconds(15);
    private final Duration stopTimeout = Duration.ofSeconds(10);
    private @Nullable Executor executor;
    private @Nullable MeterRegistry registry;

    private Builder(JobClient client, DataSource dataSource) {
      this.client = Objects.requireNonNull(client, "client");
      this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    }

    /**
     * Sets what the names of the tables begin with. Default: {@code millrace_}. The same as {@link
     * TransactionalJobs#withTablePrefix}.
     */
    public Builder tablePrefix(String prefix) {
      this.tablePrefix = Objects.requireNonNull(prefix, "prefix");
      return this;
    }

    /**
     * Sets how often the relay looks for rows if nothing wakes it. Default: 500 ms. Range: 10 ms to
     * 1 min.
     */
    public Builder poll(Duration period) {
      Bounds.between(Duration.ofMillis(10), Duration.ofMinutes(1)).check("poll", period);
      this.poll = period;
      return this;
    }

    /**
     * Sets how long the rows of a relay wait for another one if its process dies. Default: 15 s.
     * Range: 1 s to 10 min.
     */
    public Builder lease(Duration time) {
      Bounds.between(Duration.ofSeconds(1), Duration.ofMinutes(10)).check("lease", time);
      this.lease = time;
      return this;
    }

    /**
     * Sets what runs the looks, which block for the database and for trackers, one at a time. By
     * default the relay has a thread of its own.
     */
    public Builder executor(Executor executor) {
      this.executor = Objects.requireNonNull(executor, "executor");
      return this;
    }

    /**
     * Sets the registry of the relay's meters; docs/monitoring.md lists them. By default the relay
     * measures nothing and needs no Micrometer on the class path.
     */
    public Builder meterRegistry(MeterRegistry registry) {
      this.registry = Objects.requireNonNull(registry, "registry");
      return this;
    }

    /**
     * Builds the relay, which is not started.
     *
     * @throws IllegalArgumentException if the table prefix is wrong
     */
    public JobRelay build() {
      return new JobRelay(this);
    }
  }
}
