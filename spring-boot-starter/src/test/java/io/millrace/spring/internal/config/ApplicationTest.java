package io.millrace.spring.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.tasktracker.RunnerThreads;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.mock.env.MockEnvironment;

/** What Millrace takes over from other properties. */
class ApplicationTest {
  private final MockEnvironment environment = new MockEnvironment();

  private Application application() {
    return new Application(
        environment, Binder.get(environment).bindOrCreate("millrace", MillraceProperties.class));
  }

  @Test
  void threadsAreVirtualWhereSpringBootHasThemOnAndTheJvmHasThem() {
    assertThat(application().threads(25)).isEqualTo(RunnerThreads.PLATFORM);
    environment.setProperty("spring.threads.virtual.enabled", "true");
    assertThat(application().threads(17)).isEqualTo(RunnerThreads.PLATFORM);
    assertThat(application().threads(21)).isEqualTo(RunnerThreads.VIRTUAL);
    environment.setProperty("millrace.worker.threads", "auto");
    assertThat(application().threads(21)).isEqualTo(RunnerThreads.AUTO);
  }

  @Test
  void workerStopsWithinThePhaseOfTheShutdownUnlessItsGraceIsSet() {
    assertThat(application().shutdownGrace()).isEqualTo(Duration.ofSeconds(15));
    environment.setProperty("spring.lifecycle.timeout-per-shutdown-phase", "1m");
    assertThat(application().shutdownGrace()).isEqualTo(Duration.ofSeconds(45));
    environment.setProperty("spring.lifecycle.timeout-per-shutdown-phase", "10s");
    assertThat(application().shutdownGrace()).isEqualTo(Duration.ZERO);
    environment.setProperty("millrace.worker.shutdown-grace", "5m");
    assertThat(application().shutdownGrace()).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void clientGroupIsTheNameOfTheApplicationIfItCanBeOne() {
    assertThat(application().clientGroup()).isNull();
    environment.setProperty("spring.application.name", "my shop");
    assertThat(application().clientGroup()).isNull();
    environment.setProperty("spring.application.name", "shop");
    assertThat(application().clientGroup()).isEqualTo("shop");
    environment.setProperty("millrace.client.group", "orders");
    assertThat(application().clientGroup()).isEqualTo("orders");
  }
}
