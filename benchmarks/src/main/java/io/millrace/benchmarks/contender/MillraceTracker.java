package io.millrace.benchmarks.contender;

import io.millrace.benchmarks.database.MillraceUrl;
import io.millrace.internal.rpc.HostPort;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Millrace's tracker with its default configuration. */
final class MillraceTracker implements Tables {
  private static final String HOST = "127.0.0.1";

  private @Nullable JobTracker tracker;
  private @Nullable TableView view;
  private int groups = 1;

  @Override
  public String open(Place place) throws Exception {
    RpcServerConfig rpc = RpcServerConfig.onLoopback(place.port());
    if (place.advertisedPort() > 0) {
      rpc = rpc.advertising(new HostPort(HOST, place.advertisedPort()));
    }
    JobTracker opened =
        JobTracker.create(
            new JobTrackerConfig(
                rpc,
                JobTrackerConfig.DEFAULT_RPC_THREADS,
                StoreConfig.of(MillraceUrl.of(place.url()), place.user(), ""),
                TrackerSettings.byDefault()));
    tracker = opened;
    opened.start();
    view = TableView.open(place);
    groups = place.groups();
    return opened.address();
  }

  @Override
  public long unfinished(long dueBefore) throws Exception {
    return MillraceTables.unfinished(view(), groups, dueBefore);
  }

  @Override
  public long finished() throws Exception {
    return MillraceTables.finished(view());
  }

  @Override
  public TableView view() {
    return Objects.requireNonNull(view, "is not open");
  }

  @Override
  public void close() throws Exception {
    if (view != null) {
      view.close();
    }
    if (tracker != null) {
      tracker.close();
    }
    view = null;
    tracker = null;
  }
}
