package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.api.ValueMapper;
import io.millrace.jobclient.JobClient;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Which beans an application gets, and when it keeps its own. No tracker is there. */
class BeansTest {
  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withUserConfiguration(Plain.class)
          .withPropertyValues("spring.application.name=shop", "millrace.trackers=127.0.0.1:1");

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Plain {}

  @Configuration(proxyBeanMethods = false)
  static class WithHandler {
    @MillraceJob("work")
    void work() {}
  }

  @Test
  void applicationWithoutHandlersHasAClientAndRunsNoWorker() {
    application.run(
        context -> {
          assertThat(context).hasSingleBean(JobClient.class);
          assertThat(context.getBeanFactory().containsSingleton("taskTracker")).isFalse();
        });
  }

  @Test
  void applicationWithHandlersHasAWorkerOfItsName() {
    application
        .withUserConfiguration(WithHandler.class)
        .run(
            context ->
                assertThat(context.getBean(TaskTracker.class).toString())
                    .endsWith("of group shop"));
  }

  @Test
  void nodeGroupMayBeSet() {
    application
        .withUserConfiguration(WithHandler.class)
        .withPropertyValues("millrace.worker.node-group=orders")
        .run(
            context ->
                assertThat(context.getBean(TaskTracker.class).toString())
                    .endsWith("of group orders"));
  }

  @Test
  void eachPartMayBeSwitchedOff() {
    ApplicationContextRunner handling = application.withUserConfiguration(WithHandler.class);
    handling
        .withPropertyValues("millrace.enabled=false")
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(JobClient.class)
                    .doesNotHaveBean(TaskTracker.class));
    handling
        .withPropertyValues("millrace.worker.enabled=false")
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(JobClient.class)
                    .doesNotHaveBean(TaskTracker.class));
    handling
        .withPropertyValues("millrace.client.enabled=false")
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(TaskTracker.class)
                    .doesNotHaveBean(JobClient.class));
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnBeans {
    @Bean
    JobClient ownClient() {
      return JobClient.builder().trackers("127.0.0.1:1").build();
    }

    @Bean
    TaskTracker ownWorker() {
      return TaskTracker.builder()
          .trackers("127.0.0.1:1")
          .nodeGroup("own")
          .runner(context -> Result.success())
          .build();
    }
  }

  @Test
  void ownClientAndWorkerReplaceThoseOfTheStarter() {
    application
        .withUserConfiguration(OwnBeans.class, WithHandler.class)
        .run(
            context -> {
              assertThat(context).getBeanNames(JobClient.class).containsExactly("ownClient");
              assertThat(context).getBeanNames(TaskTracker.class).containsExactly("ownWorker");
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class Customized {
    final List<String> order = new ArrayList<>();

    @Bean
    JobClientCustomizer ofClient() {
      return builder -> {
        order.add("client");
        builder.clientGroup("customized");
      };
    }

    @Bean
    TaskTrackerCustomizer ofWorker() {
      return builder -> {
        order.add("worker");
        builder.nodeGroup("customized");
      };
    }
  }

  @Test
  void customizersHaveTheLastWord() {
    application
        .withUserConfiguration(Customized.class, WithHandler.class)
        .run(
            context -> {
              assertThat(context.getBean(Customized.class).order)
                  .containsExactlyInAnyOrder("client", "worker");
              assertThat(context.getBean(TaskTracker.class).toString())
                  .endsWith("of group customized");
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class WithMeters {
    @Bean
    MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }
  }

  @Test
  void meterRegistryOfTheApplicationCountsClientAndWorker() {
    application
        .withUserConfiguration(WithMeters.class, WithHandler.class)
        .run(
            context -> {
              MeterRegistry meters = context.getBean(MeterRegistry.class);
              assertThat(
                      meters.get("millrace.client.connected").tag("client.group", "shop").gauge())
                  .isNotNull();
              assertThat(meters.get("millrace.worker.slots").tag("group", "shop").gauge().value())
                  .isEqualTo(64);
            });
  }

  @Test
  void valuesAreThoseOfTheJacksonOfTheApplication() {
    application.run(
        context ->
            assertThat(context.getBean(ValueMapper.class).getClass().getSimpleName())
                .isEqualTo(isBoot4() ? "Jackson3Values" : "Jackson2Values"));
  }

  private static boolean isBoot4() {
    return org.springframework.boot.SpringBootVersion.getVersion().startsWith("4.");
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnValues {
    @Bean
    ValueMapper own() {
      return ValueMapper.standard();
    }
  }

  @Test
  void ownMapperOfValuesReplacesIt() {
    application
        .withUserConfiguration(OwnValues.class)
        .run(context -> assertThat(context).getBeanNames(ValueMapper.class).containsOnly("own"));
  }
}
