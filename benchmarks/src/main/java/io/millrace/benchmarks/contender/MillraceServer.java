package io.millrace.benchmarks.contender;

import io.millrace.benchmarks.database.MillraceUrl;
import io.millrace.console.ConsoleConfig;
import io.millrace.console.TrackerServer;
import io.millrace.console.TrackerServerConfig;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.internal.rpc.ServerLimits;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.config.NodeGroupConfig;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.purge.RetentionConfig;
import io.millrace.jobtracker.quota.QuotaConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Millrace's tracker with its console, as it is shipped, but for the bounds on connections, node
 * groups, and rows: what is measured are larger numbers.
 */
final class MillraceServer implements Tables, Operated {
  private static final int MOST_CONNECTIONS = 100_000;
  private static final int MOST_GROUPS = 100_000;

  /** Longer than the times of all rows of a large ledger. */
  private static final Duration LONGEST = Duration.ofDays(36_525);

  /** The highest quota that there may be: 1024 TiB. */
  private static final long MOST_BYTES = 1L << 50;

  private @Nullable TrackerServer server;
  private @Nullable TableView view;
  private int groups = 1;

  @Override
  public String open(Place place) throws Exception {
    JobTrackerConfig tracker =
        new JobTrackerConfig(
            rpc(place.port()), JobTrackerConfig.DEFAULT_RPC_THREADS, store(place), settings());
    TrackerServer opened =
        TrackerServer.create(
            new TrackerServerConfig(tracker).withConsole(ConsoleConfig.onLoopback(0)));
    server = opened;
    groups = place.groups();
    opened.start();
    view = TableView.open(place);
    return opened.address();
  }

  private static RpcServerConfig rpc(int port) {
    RpcServerConfig usual = RpcServerConfig.onLoopback(port);
    ServerLimits limits = usual.together();
    return new RpcServerConfig(
        usual.host(),
        usual.port(),
        usual.advertisedHost(),
        usual.advertisedPort(),
        usual.tokens(),
        usual.tls(),
        new ServerLimits(
            MOST_CONNECTIONS,
            limits.maxHandshakes(),
            limits.maxUnsentBytes(),
            limits.maxReceivedBytes()),
        usual.limits());
  }

  private static StoreConfig store(Place place) {
    StoreConfig usual = StoreConfig.of(MillraceUrl.of(place.url()), place.user(), "");
    return place.connections() == 0
        ? usual
        : new StoreConfig(
            usual.url(),
            usual.username(),
            usual.password(),
            place.connections(),
            usual.connectionTimeout());
  }

  private static TrackerSettings settings() {
    TrackerSettings usual = TrackerSettings.byDefault();
    RetentionConfig kept = usual.retention();
    QuotaConfig bounds = usual.quotas();
    return new TrackerSettings(
        usual.trackerId(),
        usual.defaultZone(),
        new NodeGroupConfig(MOST_GROUPS, MOST_GROUPS, usual.nodeGroups().dropUnusedAfter()),
        usual.generation(),
        usual.service(),
        new RetentionConfig(
            LONGEST,
            RetentionConfig.MOST_LEDGER_ROWS,
            kept.jobLogKeep(),
            kept.feedbackKeep(),
            kept.batchKeep(),
            kept.auditKeep(),
            kept.countsKeep()),
        new QuotaConfig(
            MOST_BYTES,
            MOST_BYTES,
            bounds.jobLogBytes(),
            bounds.jobLogBytesOfExecution(),
            bounds.keptBytes(),
            bounds.resultBytes()));
  }

  @Override
  public int served() {
    return server().tracker().health().nodeGroups().size();
  }

  @Override
  public Console console() {
    return new Console(
        server().consoleUrl().orElseThrow(), server().firstOperatorToken().orElse(""));
  }

  @Override
  public long unfinished(long dueBefore) throws Exception {
    return MillraceTables.unfinished(view(), groups, dueBefore);
  }

  /** To count the rows of a large ledger would take longer than what is measured. */
  @Override
  public long finished() {
    return NO_RECORD;
  }

  @Override
  public TableView view() {
    return Objects.requireNonNull(view, "is not open");
  }

  private TrackerServer server() {
    return Objects.requireNonNull(server, "is not open");
  }

  @Override
  public void close() throws Exception {
    if (view != null) {
      view.close();
    }
    if (server != null) {
      server.close();
    }
    view = null;
    server = null;
  }
}
