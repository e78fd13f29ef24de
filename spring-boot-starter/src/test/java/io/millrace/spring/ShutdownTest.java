package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.jobclient.JobClient;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application that stops in the middle of a job. */
class ShutdownTest {

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @RestController
  static class Shop implements ApplicationListener<ContextClosedEvent> {
    static final Map<String, Object> SEEN = new ConcurrentHashMap<>();
    static final CountDownLatch RUNNING = new CountDownLatch(1);
    static final CountDownLatch CLOSING = new CountDownLatch(1);

    @Autowired private JdbcTemplate database;
    @Autowired private JobClient client;
    @Autowired private Environment environment;

    @GetMapping("/ping")
    String ping() {
      return "pong";
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent closing) {
      CLOSING.countDown();
    }

    @MillraceJob("long")
    void runWhileTheApplicationStops() throws Exception {
      RUNNING.countDown();
      assertThat(CLOSING.await(20, TimeUnit.SECONDS)).isTrue();
      int port = environment.getRequiredProperty("local.server.port", int.class);
      SEEN.put("web", Http.get(port, "/ping").body());
      SEEN.put("database", database.queryForObject("select 7", Integer.class));
      SEEN.put("submit", client.submit(Job.builder("shop", "next").build()).isStored());
      SEEN.put("end", true);
    }
  }

  @Test
  void jobEndsWithWebServerAndDatabaseAndClientBeforeTheyStop() throws Exception {
    try (TestTracker tracker = TestTracker.start()) {
      ConfigurableApplicationContext application =
          SpringApplication.run(
              Shop.class,
              "--server.port=0",
              "--spring.application.name=shop",
              "--millrace.trackers=" + tracker.address());
      try {
        JobClient client = application.getBean(JobClient.class);
        assertThat(client.submit(Job.builder("shop", "long").handler("long").build()).isStored())
            .isTrue();
        assertThat(Shop.RUNNING.await(20, TimeUnit.SECONDS)).isTrue();
      } finally {
        application.close();
      }

      assertThat(Shop.SEEN)
          .containsEntry("web", "pong")
          .containsEntry("database", 7)
          .containsEntry("submit", true)
          .containsEntry("end", true);
    }
  }
}
