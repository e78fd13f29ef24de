package io.millrace.spring.internal.enqueue;

import io.millrace.api.Job;
import io.millrace.api.TraceContext;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.JobRelay;
import io.millrace.jobclient.TransactionalJobs;
import io.millrace.spring.TransactionalJobTemplate;
import io.millrace.spring.internal.config.CurrentTrace;
import io.millrace.spring.internal.config.MillraceAutoConfiguration;
import io.millrace.spring.internal.config.MillraceProperties;
import io.millrace.spring.internal.config.MillraceStartException;
import io.millrace.spring.internal.config.RelayCustomizer;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceUtils;

/** Enqueues jobs in the transactions of the application, and sends them. */
@AutoConfiguration(
    after = MillraceAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
    })
@ConditionalOnClass(DataSourceUtils.class)
@ConditionalOnBean({DataSource.class, JobClient.class, MillraceProperties.class})
@ConditionalOnProperty(prefix = "millrace.enqueue", name = "enabled")
class MillraceEnqueueAutoConfiguration {

  /**
   * Makes the template.
   *
   * @param relays none in a process that leaves the sending to others
   */
  @Bean
  @ConditionalOnMissingBean
  TransactionalJobTemplate transactionalJobTemplate(
      MillraceProperties properties,
      DataSource dataSource,
      ObjectProvider<CurrentTrace> traces,
      ObjectProvider<JobRelay> relays) {
    CurrentTrace trace = traces.getIfAvailable(() -> () -> null);
    UnaryOperator<Job> inTrace =
        job -> {
          TraceContext current = job.trace() == null ? trace.get() : null;
          return current == null ? job : job.withTrace(current);
        };
    return new TransactionalJobTemplate(
        tables(properties), dataSource, inTrace, () -> relays.ifAvailable(JobRelay::wake));
  }

  private static TransactionalJobs tables(MillraceProperties properties) {
    String prefix = properties.enqueue().tablePrefix();
    try {
      return TransactionalJobs.withTablePrefix(prefix);
    } catch (IllegalArgumentException wrong) {
      throw new MillraceStartException(
          "millrace.enqueue.table-prefix is wrong: " + wrong.getMessage() + ".",
          "Set what the names of the tables begin with, such as millrace_.",
          wrong);
    }
  }

  /** Sends what was enqueued. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingBean(JobRelay.class)
  @ConditionalOnProperty(prefix = "millrace.enqueue", name = "relay", matchIfMissing = true)
  static class Relay {

    @Bean(destroyMethod = "close")
    JobRelay jobRelay(
        MillraceProperties properties,
        JobClient client,
        DataSource dataSource,
        ObjectProvider<RelayCustomizer> customizers) {
      TransactionalJobs unused = tables(properties);
      JobRelay.Builder relay =
          JobRelay.builder(client, dataSource).tablePrefix(properties.enqueue().tablePrefix());
      customizers.orderedStream().forEach(customizer -> customizer.customize(relay));
      return relay.build();
    }

    @Bean
    RelayLifecycle millraceRelayLifecycle(JobRelay relay) {
      return new RelayLifecycle(relay);
    }
  }
}
