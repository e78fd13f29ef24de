package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.api.JobHandle;
import io.millrace.api.JobStatus.State;
import io.millrace.api.TraceContext;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.JobRelay;
import io.millrace.jobclient.TransactionalJobs;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Jobs that are enqueued in transactions of Spring. */
class TransactionalJobsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final TraceContext ANOTHER =
      new TraceContext("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", null);

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
    static final Map<String, String> TRACE_IDS = new ConcurrentHashMap<>();

    @Autowired private Tracer tracer;

    /** In place of the application's migrations. */
    @Bean
    InitializingBean tables(
        DataSource dataSource, @Value("${millrace.enqueue.table-prefix:millrace_}") String prefix) {
      return () -> {
        try (Connection connection = dataSource.getConnection()) {
          TransactionalJobs.withTablePrefix(prefix).createTables(connection);
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
      TRACE_IDS.put(orderId, tracer.currentSpan().context().traceId());
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

    @Transactional
    public String closeTomorrow(String id) {
      return jobs.enqueue(
          Job.builder("shop", "invoice:" + id)
              .handler("invoice")
              .after(Duration.ofDays(1))
              .build());
    }

    @Transactional
    public void reopen(String id) {
      jobs.cancel("shop", "invoice:" + id);
    }

    @Transactional
    public void enqueue(Job job) {
      jobs.enqueue(job);
    }

    static Job job(String id) {
      return Job.builder("shop", "invoice:" + id).handler("invoice").param("orderId", id).build();
    }
  }

  static ApplicationContextRunner application(TestTracker tracker) {
    return new ApplicationContextRunner()
        .withUserConfiguration(Shop.class)
        .withPropertyValues(
            "spring.application.name=shop",
            "spring.flyway.enabled=false",
            "millrace.trackers=" + tracker.address(),
            "millrace.enqueue.enabled=true");
  }

  private static ApplicationContextRunner application() {
    return application(tracker).withPropertyValues("spring.datasource.generate-unique-name=true");
  }

  private static int rows(ApplicationContext context) {
    String prefix =
        context.getEnvironment().getProperty("millrace.enqueue.table-prefix", "millrace_");
    Integer rows =
        context
            .getBean(JdbcTemplate.class)
            .queryForObject("select count(*) from " + prefix + "enqueued", Integer.class);
    return rows == null ? 0 : rows;
  }

  /** And the cancel, which follows the job of its key that was enqueued before. */
  static void assertJobsFollowTheTransactions(ApplicationContext context) throws Exception {
    Orders orders = context.getBean(Orders.class);
    assertThatThrownBy(() -> orders.close("rolled-back", true))
        .hasMessage("the order cannot be closed");
    assertThat(rows(context)).isZero();
    orders.close("committed", false);

    assertThat(Shop.RUN.poll(20, TimeUnit.SECONDS)).isEqualTo("committed");
    assertThat(Shop.RUN).isEmpty();
    await().atMost(PATIENCE).until(() -> rows(context) == 0);

    JobClient client = context.getBean(JobClient.class);
    JobHandle postponed =
        new JobHandle("shop", "invoice:postponed", orders.closeTomorrow("postponed"));
    await().atMost(PATIENCE).until(() -> client.status(postponed).state() == State.WAITING);
    orders.reopen("postponed");
    assertThat(client.await(postponed, PATIENCE).disposition()).isEqualTo(Disposition.CANCELLED);
  }

  @Test
  void jobRunsIfTheTransactionCommitsAndOnlyThen() {
    application().run(TransactionalJobsTest::assertJobsFollowTheTransactions);
  }

  @Test
  void meterRegistryOfTheApplicationCountsTheRelay() {
    application()
        .withBean(SimpleMeterRegistry.class)
        .run(
            context ->
                assertThat(
                        context
                            .getBean(SimpleMeterRegistry.class)
                            .get("millrace.relay.lag")
                            .tag("client.group", "shop")
                            .gauge())
                    .isNotNull());
  }

  @Test
  void traceOfTheTransactionReachesTheJob() {
    application()
        .run(
            context -> {
              Tracer tracer = context.getBean(Tracer.class);
              Span request = tracer.nextSpan().name("request").start();
              Job ofAnother = Orders.job("another").withTrace(ANOTHER);
              try (Tracer.SpanInScope scope = tracer.withSpan(request)) {
                context.getBean(Orders.class).close("traced", false);
                context.getBean(Orders.class).enqueue(ofAnother);
              } finally {
                request.end();
              }
              assertThat(Shop.RUN.poll(20, TimeUnit.SECONDS)).isNotNull();
              assertThat(Shop.RUN.poll(20, TimeUnit.SECONDS)).isNotNull();

              assertThat(Shop.TRACE_IDS)
                  .containsEntry("traced", request.context().traceId())
                  .containsEntry("another", "4bf92f3577b34da6a3ce929d0e0e4736");
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
