package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Job;
import io.millrace.jobclient.JobRelay;
import io.millrace.jobclient.TransactionalJobs;
import java.sql.Connection;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Jobs that are enqueued in transactions of Spring. */
class TransactionalJobsTest {
  private static TestTracker tracker;

  @BeforeAll
  static void start() {
    tracker = TestTracker.start();
  }

  @AfterAll
  static void close() {
    tracker.close();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Shop {
    static final BlockingQueue<String> RUN = new LinkedBlockingQueue<>();

    /** In place of the application's migrations. */
    @Bean
    InitializingBean tables(DataSource dataSource) {
      return () -> {
        try (Connection connection = dataSource.getConnection()) {
          TransactionalJobs.create().createTables(connection);
          connection.createStatement().execute("create table orders (id varchar(64) primary key)");
        }
      };
    }

    @Bean
    Orders orders(JdbcTemplate database, TransactionalJobTemplate jobs) {
      return new Orders(database, jobs);
    }

    @MillraceJob("invoice")
    void invoice(String orderId) {
      RUN.add(orderId);
    }
  }

  static class Orders {
    private final JdbcTemplate database;
    private final TransactionalJobTemplate jobs;

    Orders(JdbcTemplate database, TransactionalJobTemplate jobs) {
      this.database = database;
      this.jobs = jobs;
    }

    @Transactional
    public void close(String id, boolean fails) {
      database.update("insert into orders values (?)", id);
      jobs.enqueue(job(id));
      if (fails) {
        throw new IllegalArgumentException("the order cannot be closed");
      }
    }

    static Job job(String id) {
      return Job.builder("shop", "invoice:" + id).handler("invoice").param("orderId", id).build();
    }
  }

  private static ApplicationContextRunner application() {
    return new ApplicationContextRunner()
        .withUserConfiguration(Shop.class)
        .withPropertyValues(
            "spring.application.name=shop",
            "spring.datasource.generate-unique-name=true",
            "spring.flyway.enabled=false",
            "millrace.trackers=" + tracker.address(),
            "millrace.enqueue.enabled=true");
  }

  private static int rows(ApplicationContext context) {
    Integer rows =
        context
            .getBean(JdbcTemplate.class)
            .queryForObject("select count(*) from millrace_enqueued", Integer.class);
    return rows == null ? 0 : rows;
  }

  @Test
  void jobRunsIfTheTransactionCommitsAndOnlyThen() {
    application()
        .run(
            context -> {
              Orders orders = context.getBean(Orders.class);
              assertThatThrownBy(() -> orders.close("rolled-back", true))
                  .hasMessage("the order cannot be closed");
              assertThat(rows(context)).isZero();
              orders.close("committed", false);

              assertThat(Shop.RUN.poll(20, TimeUnit.SECONDS)).isEqualTo("committed");
              assertThat(Shop.RUN).isEmpty();
            });
  }

  @Test
  void threadWithoutTransactionIsRefused() {
    application()
        .run(
            context ->
                assertThatThrownBy(
                        () ->
                            context
                                .getBean(TransactionalJobTemplate.class)
                                .enqueue(Orders.job("alone")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the thread has no transaction"));
  }

  @Test
  void processWithoutRelayLeavesTheSendingToOthers() {
    application()
        .withPropertyValues("millrace.enqueue.relay=false")
        .run(
            context -> {
              assertThat(context).doesNotHaveBean(JobRelay.class);
              context.getBean(Orders.class).close("kept", false);
              assertThat(rows(context)).isEqualTo(1);
            });
  }

  @Test
  void nothingIsThereUnlessItIsEnabled() {
    new ApplicationContextRunner()
        .withUserConfiguration(BeansTest.Plain.class)
        .withPropertyValues("millrace.trackers=" + tracker.address())
        .run(
            context ->
                assertThat(context)
                    .doesNotHaveBean(JobRelay.class)
                    .doesNotHaveBean(TransactionalJobTemplate.class));
  }
}
