package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** The health page while no tracker answers. */
class HealthTest {

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Plain {}

  /** Other calls of the client wait for half a minute. */
  @Test
  @Timeout(value = 20, unit = TimeUnit.SECONDS)
  void pageIsDownSoonWhileNoTrackerAnswers() throws Exception {
    try (ConfigurableApplicationContext application =
        SpringApplication.run(
            Plain.class,
            "--server.port=0",
            "--spring.application.name=shop",
            "--millrace.health.timeout=50ms",
            "--millrace.trackers=127.0.0.1:1")) {
      int port = application.getEnvironment().getRequiredProperty("local.server.port", int.class);

      assertThat(Http.get(port, "/actuator/health").body())
          .contains(
              "\"millrace\":{", "DOWN", "got no answer within PT0.05S: no tracker is connected");
      assertThat(Http.get(port, "/actuator/health").statusCode()).isEqualTo(503);
    }
  }

  @Test
  void indicatorMayBeSwitchedOff() {
    new WebApplicationContextRunner()
        .withUserConfiguration(Plain.class)
        .withPropertyValues(
            "millrace.trackers=127.0.0.1:1", "management.health.millrace.enabled=false")
        .run(
            context ->
                assertThat(context).hasNotFailed().doesNotHaveBean("millraceHealthIndicator"));
  }
}
