package io.millrace.spring.internal.config;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.spring.JobClientCustomizer;
import io.millrace.spring.TaskTrackerCustomizer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

/** Gives the registry of the application to its client and its worker. */
@AutoConfiguration(
    after = MillraceAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({MeterRegistry.class, Nodes.class})
class MillraceMetricsAutoConfiguration {

  @Bean
  @Order(0)
  JobClientCustomizer millraceClientMeters(MeterRegistry registry) {
    return builder -> builder.meterRegistry(registry);
  }

  @Bean
  @Order(0)
  TaskTrackerCustomizer millraceWorkerMeters(MeterRegistry registry) {
    return builder -> builder.meterRegistry(registry);
  }

  @Bean
  @Order(0)
  RelayCustomizer millraceRelayMeters(MeterRegistry registry) {
    return builder -> builder.meterRegistry(registry);
  }
}
