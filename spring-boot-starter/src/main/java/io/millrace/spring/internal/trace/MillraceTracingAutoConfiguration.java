package io.millrace.spring.internal.trace;

import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import io.millrace.spring.JobClientCustomizer;
import io.millrace.spring.internal.config.CurrentTrace;
import io.millrace.spring.internal.config.MillraceAutoConfiguration;
import io.millrace.spring.internal.config.MillraceProperties;
import io.millrace.spring.internal.handler.RunnerDecorator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** Traces over submits and runs, in applications that have a tracer or observe. */
@AutoConfiguration(
    after = MillraceAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.tracing.BraveAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.tracing.OpenTelemetryTracingAutoConfiguration",
      "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
      "org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration",
      "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration"
    })
@ConditionalOnBean(MillraceProperties.class)
class MillraceTracingAutoConfiguration {

  /** A span for each run. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ObservationRegistry.class)
  @ConditionalOnBean(ObservationRegistry.class)
  static class Runs {

    @Bean
    RunnerDecorator millraceJobObservations(ObservationRegistry registry) {
      return new JobObservations(registry);
    }
  }

  /** The current trace in each submitted job. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(Tracer.class)
  @ConditionalOnBean({Tracer.class, Propagator.class})
  static class Submits {

    @Bean
    CurrentTrace millraceCurrentTrace(Tracer tracer, Propagator propagator) {
      return new CurrentSpan(tracer, propagator);
    }

    @Bean
    @Order(0)
    JobClientCustomizer millraceTracedSubmits(CurrentTrace current) {
      return builder -> builder.currentTrace(current);
    }
  }
}
