package io.millrace.spring.internal.embedded;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.internal.config.ConfigException;
import io.millrace.internal.config.Settings;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.jdbc.h2.H2Version;
import io.millrace.spring.internal.config.MillraceStartException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Starts a tracker, and says in terms of the application why one does not start. */
final class TrackerLauncher {
  private static final int FILE_IN_USE = 90020;

  private TrackerLauncher() {}

  /** A tracker without a console. */
  private record Plain(JobTracker tracker) implements RunningTracker {
    @Override
    public String address() {
      return tracker.address();
    }

    @Override
    public void close() {
      tracker.close();
    }
  }

  /** Starts a tracker without a console. */
  private static RunningTracker plain(Settings settings, @Nullable MeterRegistry meters) {
    JobTracker tracker = JobTracker.create(JobTrackerConfig.read(settings), meters, null);
    tracker.start();
    return new Plain(tracker);
  }

  /**
   * Starts a tracker.
   *
   * @param values the keys of its configuration
   * @param withConsole whether it has a console
   * @param meters a registry to count in; null for none
   * @throws MillraceStartException if it does not start
   */
  static RunningTracker start(
      StoreLocation store,
      Map<String, String> values,
      boolean withConsole,
      @Nullable MeterRegistry meters) {
    if (store.isH2()) {
      require(H2Version.ofClassPath());
    }
    Settings settings = Settings.of(TrackerSettings.PREFIX, values);
    try {
      return withConsole ? ConsoleLauncher.start(settings, meters) : plain(settings, meters);
    } catch (ConfigException wrong) {
      throw new MillraceStartException(
          "The tracker in the application is configured wrongly: "
              + String.join("; ", wrong.problems())
              + ".",
          "Correct these keys below %s, or the property that sets them; the page Configuration lists the keys."
              .formatted(TrackerSettings.PREFIX),
          wrong);
    } catch (StoreException unusable) {
      throw storeFailure(store, unusable);
    } catch (RpcException | IllegalStateException cannotListen) {
      throw new MillraceStartException(
          "The tracker in the application cannot listen: " + cannotListen.getMessage() + ".",
          "Set %1$s.rpc.host and rpc.port, or with a console %1$s.console.host and console.port, to an address that is free."
              .formatted(TrackerSettings.PREFIX),
          cannotListen);
    } catch (LinkageError unfit) {
      throw new MillraceStartException(
          "The tracker in the application does not run with these versions of its libraries: "
              + unfit
              + ".",
          withConsole
              ? "Set the property netty.version of the build to that of Millrace's console, 4.2 or"
                  + " later: Spring Boot 3.5 would choose 4.1."
              : "Leave Spring, HikariCP, Flyway and Micrometer at the versions that Spring Boot"
                  + " manages.",
          unfit);
    }
  }

  /** Refuses another version of H2. */
  static void require(H2Version version) {
    if (!version.fits()) {
      throw new MillraceStartException(
          "The tracker needs H2 %s to keep its jobs safe, but the application has H2 %s."
              .formatted(version.required(), version.found()),
          "Set the property h2.version of the build to %s, in Maven by <h2.version>%s</h2.version> among the properties of the pom; or keep the jobs in MySQL or MariaDB."
              .formatted(version.required(), version.required()));
    }
  }

  private static MillraceStartException storeFailure(StoreLocation store, StoreException unusable) {
    Path file = store.file();
    if (file != null && isInUse(unusable)) {
      return FileClaim.inUse(file, unusable);
    }
    return new MillraceStartException(
        "The tracker in the application cannot use its database: " + unusable.getMessage() + ".",
        "Start the database, or correct millrace.tracker.store.url, username and password, or"
            + " spring.datasource.* if they are not set. The user needs the right to create tables.",
        unusable);
  }

  private static boolean isInUse(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof SQLException sql && sql.getErrorCode() == FILE_IN_USE) {
        return true;
      }
    }
    return false;
  }
}
