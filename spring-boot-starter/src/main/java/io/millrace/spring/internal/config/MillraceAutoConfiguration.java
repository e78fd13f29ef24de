package io.millrace.spring.internal.config;

import io.millrace.jobclient.JobClient;
import io.millrace.spring.JobClientCustomizer;
import io.millrace.spring.TaskTrackerCustomizer;
import io.millrace.spring.internal.handler.HandlerMethods;
import io.millrace.spring.internal.handler.MethodRunner;
import io.millrace.spring.internal.handler.RunnerDecorator;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.TaskTracker;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** The client and the worker of the application. */
@AutoConfiguration(after = SslAutoConfiguration.class)
@ConditionalOnProperty(prefix = "millrace", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(MillraceProperties.class)
public class MillraceAutoConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(MillraceAutoConfiguration.class);

  @Bean
  Application millraceApplication(Environment environment, MillraceProperties properties) {
    return new Application(environment, properties);
  }

  @Bean
  Connection millraceConnection(MillraceProperties properties, ObjectProvider<SslBundles> bundles) {
    return new Connection(properties, bundles);
  }

  /** The trackers of the properties, unless one runs in the application. */
  @Bean
  @ConditionalOnMissingBean
  TrackerAddresses millraceTrackerAddresses(Connection connection) {
    return connection::trackers;
  }

  /** Is destroyed before the tracker in the application, as are the client and the worker. */
  @Bean
  Nodes millraceNodes(
      MillraceProperties properties,
      Application application,
      Connection connection,
      TrackerAddresses addresses) {
    return new Nodes(properties, application, connection, addresses);
  }

  @Bean
  static HandlerMethods millraceHandlers(ConfigurableListableBeanFactory beans) {
    return new HandlerMethods(beans);
  }

  /** Warns of handlers that a worker of the application's own does not have. */
  @Bean
  static SmartInitializingSingleton millraceHandlersWithoutWorker(
      HandlerMethods handlers,
      MillraceProperties properties,
      ObjectProvider<WorkerLifecycle> lifecycle) {
    return () -> {
      boolean isOwn = properties.worker().enabled() && lifecycle.getIfAvailable() == null;
      if (isOwn && !handlers.all().isEmpty()) {
        LOG.warn(
            "the application defines its own TaskTracker, which has none of the handlers {}",
            handlers.all().keySet());
      }
    };
  }

  /** The client. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingBean(JobClient.class)
  @ConditionalOnProperty(prefix = "millrace.client", name = "enabled", matchIfMissing = true)
  static class Client {

    @Bean(destroyMethod = "close")
    JobClient jobClient(Nodes nodes, ObjectProvider<JobClientCustomizer> customizers) {
      return nodes.client(customizers.orderedStream());
    }
  }

  /** The worker, which exists once something asks for it: its lifecycle, if there are handlers. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingBean(TaskTracker.class)
  @ConditionalOnProperty(prefix = "millrace.worker", name = "enabled", matchIfMissing = true)
  static class Worker {

    @Bean(destroyMethod = "close")
    @Lazy
    TaskTracker taskTracker(
        Nodes nodes,
        HandlerMethods handlers,
        ConfigurableListableBeanFactory beans,
        ObjectProvider<RunnerDecorator> decorators,
        ObjectProvider<TaskTrackerCustomizer> customizers) {
      List<RunnerDecorator> inOrder = decorators.orderedStream().toList();
      Map<String, JobRunner> runners = new LinkedHashMap<>();
      handlers
          .all()
          .forEach(
              (handler, method) -> {
                JobRunner runner = new MethodRunner(beans, method);
                for (RunnerDecorator decorator : inOrder) {
                  runner = decorator.decorate(handler, runner);
                }
                runners.put(handler, runner);
              });
      return nodes.worker(runners, customizers.orderedStream());
    }

    @Bean
    WorkerLifecycle millraceWorkerLifecycle(
        HandlerMethods handlers, ObjectProvider<TaskTracker> workers) {
      return new WorkerLifecycle(handlers, workers);
    }
  }
}
