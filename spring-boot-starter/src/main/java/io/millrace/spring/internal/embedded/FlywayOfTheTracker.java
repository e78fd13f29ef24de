package io.millrace.spring.internal.embedded;

import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.util.ClassUtils;

/**
 * Keeps Spring Boot 3.5 from migrating the application's database only because the tracker brings
 * Flyway along. In version 4 that is a module of its own, which only the application adds.
 */
final class FlywayOfTheTracker implements AutoConfigurationImportFilter, EnvironmentAware {
  private static final String FLYWAY =
      "org.springframework.boot.autoconfigure.flyway.FlywayAutoConfiguration";

  private static final String TRACKER = "io.millrace.jobtracker.JobTracker";
  private static final String MIGRATIONS = "db/migration";

  private Environment environment = new StandardEnvironment();

  @Override
  public void setEnvironment(Environment environment) {
    this.environment = environment;
  }

  @Override
  public boolean[] match(String[] classes, AutoConfigurationMetadata metadata) {
    boolean leavesOut = !isOfTheApplication();
    boolean[] matches = new boolean[classes.length];
    for (int i = 0; i < classes.length; i++) {
      matches[i] = !(leavesOut && FLYWAY.equals(classes[i]));
    }
    return matches;
  }

  private boolean isOfTheApplication() {
    ClassLoader loader = FlywayOfTheTracker.class.getClassLoader();
    return !ClassUtils.isPresent(TRACKER, loader)
        || loader.getResource(MIGRATIONS) != null
        || Binder.get(environment)
            .bind("spring.flyway", Bindable.mapOf(String.class, Object.class))
            .map(set -> !((Map<?, ?>) set).isEmpty())
            .orElse(false);
  }
}
