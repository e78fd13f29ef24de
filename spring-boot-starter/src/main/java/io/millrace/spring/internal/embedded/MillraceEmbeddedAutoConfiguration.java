package io.millrace.spring.internal.embedded;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.spring.internal.config.Connection;
import io.millrace.spring.internal.config.MillraceAutoConfiguration;
import io.millrace.spring.internal.config.MillraceProperties;
import io.millrace.spring.internal.config.MillraceStartException;
import io.millrace.spring.internal.config.TrackerAddresses;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** A tracker in the application, for its client and its worker. */
@AutoConfiguration(before = MillraceAutoConfiguration.class)
@ConditionalOnProperty(prefix = "millrace", name = "enabled", matchIfMissing = true)
@ConditionalOnProperty(prefix = "millrace.tracker", name = "embedded")
class MillraceEmbeddedAutoConfiguration {
  private static final String TRACKER = "io.millrace.jobtracker.JobTracker";
  private static final String CONSOLE = "io.millrace.console.TrackerServer";

  /**
   * Starts the tracker, after the application's own migrations: they expect no tables of others in
   * an empty schema.
   */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean(TrackerAddresses.class)
  @DependsOnDatabaseInitialization
  @Lazy(false)
  EmbeddedTracker millraceEmbeddedTracker(
      MillraceProperties properties, Connection connection, ApplicationContext application) {
    Environment environment = application.getEnvironment();
    MillraceProperties.Tracker tracker = properties.tracker();
    if (Binder.get(environment).bind("millrace.trackers", String[].class).isBound()) {
      throw new MillraceStartException(
          "There are both millrace.tracker.embedded=true and millrace.trackers.",
          "Set one of them: a tracker in the application, or the addresses of others.");
    }
    requireClass(
        application, TRACKER, "millrace.tracker.embedded", "millrace-spring-boot-starter-embedded");
    boolean withConsole = tracker.console().enabled();
    if (withConsole) {
      requireClass(application, CONSOLE, "millrace.tracker.console.enabled", "millrace-console");
    }
    StoreLocation store = StoreLocation.of(tracker.store(), environment);
    Map<String, String> settings = TrackerSettings.of(tracker.settings(), store, connection);
    FileClaim claim = FileClaim.of(store.file());
    try {
      MeterRegistry meters = application.getBeanProvider(MeterRegistry.class).getIfAvailable();
      return new EmbeddedTracker(
          TrackerLauncher.start(store, settings, withConsole, meters), claim);
    } catch (RuntimeException | Error failed) {
      claim.close();
      throw failed;
    }
  }

  private static void requireClass(
      ApplicationContext application, String type, String property, String artifact) {
    if (!ClassUtils.isPresent(type, application.getClassLoader())) {
      throw new MillraceStartException(
          "%s=true needs %s, which is not on the class path.".formatted(property, artifact),
          "Add the dependency io.millrace:%s, in the version of the starter.".formatted(artifact));
    }
  }
}
