package io.millrace.spring;

import io.millrace.jobclient.JobClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;

/** An application with a tracker in it. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class EmbeddedShop implements ApplicationListener<ContextClosedEvent> {
  static final BlockingQueue<String> RUN = new LinkedBlockingQueue<>();

  private final CountDownLatch closing = new CountDownLatch(1);

  @Autowired private JobClient client;

  public static void main(String[] arguments) {
    run(arguments);
  }

  static ConfigurableApplicationContext run(String... more) {
    SpringApplication application = new SpringApplication(EmbeddedShop.class);
    application.setWebApplicationType(WebApplicationType.NONE);
    application.setRegisterShutdownHook(false);
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--spring.application.name=shop",
                "--millrace.tracker.embedded=true",
                "--millrace.client.request-timeout=10s"));
    arguments.addAll(List.of(more));
    return application.run(arguments.toArray(String[]::new));
  }

  @Override
  public void onApplicationEvent(ContextClosedEvent event) {
    closing.countDown();
  }

  @MillraceJob("close")
  void close(String orderId) {
    RUN.add("close " + orderId);
  }

  @MillraceJob("tick")
  @Recurring(every = "200ms")
  void tick() {
    RUN.add("tick");
  }

  @MillraceJob("long")
  void runUntilTheApplicationStops() throws InterruptedException {
    RUN.add("long");
    if (!closing.await(20, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the application did not stop");
    }
    boolean stored = client.submit(EmbeddedTrackerTest.close("after")).isStored();
    RUN.add("submitted while stopping: " + stored);
  }
}
