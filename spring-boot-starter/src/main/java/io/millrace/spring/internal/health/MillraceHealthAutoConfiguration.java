package io.millrace.spring.internal.health;

import io.millrace.jobclient.JobClient;
import io.millrace.spring.internal.config.MillraceAutoConfiguration;
import io.millrace.spring.internal.config.MillraceProperties;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health indicator, by the types of Spring Boot 3 or by those of Spring Boot 4. */
@AutoConfiguration(after = MillraceAutoConfiguration.class)
@ConditionalOnBean({JobClient.class, MillraceProperties.class})
class MillraceHealthAutoConfiguration {

  /** With the types of Spring Boot 3. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({
    org.springframework.boot.actuate.health.HealthIndicator.class,
    ConditionalOnEnabledHealthIndicator.class
  })
  @ConditionalOnEnabledHealthIndicator("millrace")
  static class OfBoot3 {

    @Bean
    @ConditionalOnMissingBean(name = "millraceHealthIndicator")
    org.springframework.boot.actuate.health.HealthIndicator millraceHealthIndicator(
        JobClient client, ConfigurableListableBeanFactory beans, MillraceProperties properties) {
      TrackerProbe probe = new TrackerProbe(client, beans, properties.health().timeout());
      return () -> {
        TrackerProbe.Finding finding = probe.look();
        org.springframework.boot.actuate.health.Health.Builder health =
            finding.isGood()
                ? org.springframework.boot.actuate.health.Health.up()
                : org.springframework.boot.actuate.health.Health.down();
        if (finding.failure() != null) {
          health.withException(finding.failure());
        }
        return health.withDetails(finding.details()).build();
      };
    }
  }

  /** With the types of Spring Boot 4. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(org.springframework.boot.health.contributor.HealthIndicator.class)
  @ConditionalOnMissingClass("org.springframework.boot.actuate.health.HealthIndicator")
  @org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator(
      "millrace")
  static class OfBoot4 {

    @Bean
    @ConditionalOnMissingBean(name = "millraceHealthIndicator")
    org.springframework.boot.health.contributor.HealthIndicator millraceHealthIndicator(
        JobClient client, ConfigurableListableBeanFactory beans, MillraceProperties properties) {
      TrackerProbe probe = new TrackerProbe(client, beans, properties.health().timeout());
      return () -> {
        TrackerProbe.Finding finding = probe.look();
        org.springframework.boot.health.contributor.Health.Builder health =
            finding.isGood()
                ? org.springframework.boot.health.contributor.Health.up()
                : org.springframework.boot.health.contributor.Health.down();
        if (finding.failure() != null) {
          health.withException(finding.failure());
        }
        return health.withDetails(finding.details()).build();
      };
    }
  }
}
