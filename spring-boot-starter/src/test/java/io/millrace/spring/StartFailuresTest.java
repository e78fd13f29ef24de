package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What an application prints that cannot start: what is wrong and where, and what to change. */
@ExtendWith(OutputCaptureExtension.class)
class StartFailuresTest {

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Plain {
    @MillraceJob("work")
    void work() {}
  }

  private static String start(CapturedOutput output, List<Class<?>> sources, String... more) {
    SpringApplication application = new SpringApplication(sources.toArray(Class<?>[]::new));
    application.setWebApplicationType(WebApplicationType.NONE);
    application.setRegisterShutdownHook(false);
    String[] arguments = new String[more.length + 1];
    arguments[0] = "--millrace.trackers=127.0.0.1:1";
    System.arraycopy(more, 0, arguments, 1, more.length);
    int before = output.getAll().length();
    try (ConfigurableApplicationContext context = application.run(arguments)) {
      return "started";
    } catch (RuntimeException failed) {
      return output.getAll().substring(before).replaceAll("\\s+", " ");
    }
  }

  private static String startNamed(CapturedOutput output, String... more) {
    String[] arguments = new String[more.length + 1];
    arguments[0] = "--spring.application.name=shop";
    System.arraycopy(more, 0, arguments, 1, more.length);
    return start(output, List.of(Plain.class), arguments);
  }

  private static String startWith(CapturedOutput output, Class<?> more) {
    return start(output, List.of(Plain.class, more), "--spring.application.name=shop");
  }

  @Test
  void missingNodeGroup(CapturedOutput output) {
    assertThat(start(output, List.of(Plain.class)))
        .contains(
            "APPLICATION FAILED TO START",
            "Description: The node group is missing:",
            "Action: Set millrace.worker.node-group");
  }

  @Test
  void nameThatIsNoNodeGroup(CapturedOutput output) {
    assertThat(start(output, List.of(Plain.class), "--spring.application.name=my shop"))
        .contains("spring.application.name is no name of a node group", "'my shop'");
  }

  @Test
  void addressThatIsNone(CapturedOutput output) {
    assertThat(startNamed(output, "--millrace.trackers=tracker.example"))
        .contains(
            "Description: The address of a tracker in millrace.trackers is wrong:"
                + " 'tracker.example' is not host:port: the port is missing.",
            "Action: Write host:port");
  }

  @Test
  void valueOfAnotherType(CapturedOutput output) {
    assertThat(startNamed(output, "--millrace.worker.slots=many"))
        .contains("Failed to bind properties under 'millrace.worker.slots' to int", "many");
  }

  @Test
  void valueOutOfBounds(CapturedOutput output) {
    assertThat(startNamed(output, "--millrace.worker.slots=0"))
        .contains(
            "Description: The worker of Millrace cannot be built: slots must be between 1 and"
                + " 10000: 0.",
            "Action: Correct the property");
    assertThat(startNamed(output, "--millrace.client.request-timeout=0s"))
        .contains("The client of Millrace cannot be built: requestTimeout must be between");
  }

  @Test
  void unknownProperty(CapturedOutput output, @TempDir Path folder) throws Exception {
    Path file = folder.resolve("application.properties");
    Files.writeString(file, "millrace.worker.slotz=3\n");

    assertThat(startNamed(output, "--spring.config.additional-location=" + file))
        .contains("APPLICATION FAILED TO START", "millrace.worker.slotz");
  }

  /** The environment belongs to the machine, and may name things of another version. */
  @Test
  void unknownSystemPropertyIsLeftAlone(CapturedOutput output) {
    System.setProperty("millrace.worker.slotz", "3");
    try {
      assertThat(startNamed(output)).isEqualTo("started");
    } finally {
      System.clearProperty("millrace.worker.slotz");
    }
  }

  @Test
  void missingTokenFile(CapturedOutput output, @TempDir Path folder) {
    Path file = folder.resolve("token");

    assertThat(startNamed(output, "--millrace.token-file=" + file))
        .contains(
            "Description: The file "
                + file
                + " of millrace.token-file cannot be read: it does"
                + " not exist.",
            "Action: Create the file");
  }

  @Test
  void tokenThatIsTooShort(CapturedOutput output) {
    assertThat(startNamed(output, "--millrace.token=secret"))
        .contains("a token must have at least 16 characters")
        .doesNotContain("secret.");
  }

  @Test
  void unknownBundle(CapturedOutput output) {
    assertThat(startNamed(output, "--millrace.tls.bundle=trackers"))
        .contains(
            "Description: The SSL bundle 'trackers' of millrace.tls.bundle does not exist.",
            "Action: Define it");
  }

  @Configuration(proxyBeanMethods = false)
  static class SecondOfTheName {
    @MillraceJob("work")
    void workToo() {}
  }

  @Test
  void twoMethodsOfOneHandler(CapturedOutput output) {
    assertThat(startWith(output, SecondOfTheName.class))
        .contains(
            "Two methods have @MillraceJob(\"work\"):",
            "Plain.work()",
            "SecondOfTheName.workToo()",
            "Action: Give one of them another name");
  }

  @Configuration(proxyBeanMethods = false)
  static class WithPrivateMethod {
    @MillraceJob("hidden")
    @SuppressWarnings("unused")
    private void hidden() {}
  }

  @Test
  void privateMethod(CapturedOutput output) {
    assertThat(startWith(output, WithPrivateMethod.class))
        .contains("WithPrivateMethod.hidden() has @MillraceJob(\"hidden\") and is private.");
  }

  @Configuration(proxyBeanMethods = false)
  static class WithFuture {
    @MillraceJob("later")
    CompletableFuture<String> later() {
      return CompletableFuture.completedFuture("");
    }
  }

  @Test
  void methodThatReturnsAFuture(CapturedOutput output) {
    assertThat(startWith(output, WithFuture.class))
        .contains("WithFuture.later() returns a CompletableFuture.");
  }

  interface Business {
    void other();
  }

  static class Implementation implements Business {
    @Override
    public void other() {}

    @MillraceJob("not-in-the-interface")
    public void work() {}
  }

  @Configuration(proxyBeanMethods = false)
  static class WithProxyOfAnInterface {
    @Bean
    Business business() {
      return (Business)
          new org.springframework.aop.framework.ProxyFactory(new Implementation()).getProxy();
    }
  }

  @Test
  void proxyWithoutTheMethodIsNotAHandler(CapturedOutput output) {
    assertThat(startWith(output, WithProxyOfAnInterface.class)).isEqualTo("started");
  }

  @Configuration(proxyBeanMethods = false)
  static class WithTwoSchedules {
    @MillraceJob("twice")
    @Recurring(cron = "@daily", every = "1h")
    void twice() {}
  }

  @Test
  void recurringWithTwoSchedules(CapturedOutput output) {
    assertThat(startWith(output, WithTwoSchedules.class))
        .contains(
            "@Recurring on",
            "WithTwoSchedules.twice() needs exactly one of cron, every and" + " fixedDelay.");
  }

  @Configuration(proxyBeanMethods = false)
  static class WithUnknownZone {
    @MillraceJob("zone")
    @Recurring(cron = "@daily", zone = "Mars/Olympus")
    void zone() {}
  }

  @Test
  void recurringInAnUnknownZone(CapturedOutput output) {
    assertThat(startWith(output, WithUnknownZone.class))
        .contains("WithUnknownZone.zone() has the unknown zone 'Mars/Olympus'.");
  }

  @Configuration(proxyBeanMethods = false)
  static class WithWrongDuration {
    @MillraceJob("duration")
    @Recurring(every = "often")
    void duration() {}
  }

  @Test
  void recurringWithNoDuration(CapturedOutput output) {
    assertThat(startWith(output, WithWrongDuration.class))
        .contains("WithWrongDuration.duration() has every = 'often', which is no duration.");
  }

  @Configuration(proxyBeanMethods = false)
  static class WithTooManyShards {
    @MillraceJob("shards")
    @Recurring(every = "1h", shards = 1_001)
    void shards() {}
  }

  @Test
  void recurringWithTooManyShards(CapturedOutput output) {
    assertThat(startWith(output, WithTooManyShards.class))
        .contains("WithTooManyShards.shards() has shards that are not between 1 and 1000.");
  }

  @Configuration(proxyBeanMethods = false)
  static class WithParameter {
    @MillraceJob("parameter")
    @Recurring(every = "1h")
    void parameter(String orderId) {}
  }

  @Test
  void recurringThatNeedsAParameter(CapturedOutput output) {
    assertThat(startWith(output, WithParameter.class))
        .contains("runs without parameters, but the method needs [orderId].");
  }

  @Configuration(proxyBeanMethods = false)
  static class WithoutHandler {
    @Recurring(every = "1h")
    void alone() {}
  }

  @Test
  void recurringWithoutHandler(CapturedOutput output) {
    assertThat(startWith(output, WithoutHandler.class))
        .contains("WithoutHandler.alone() has @Recurring but not @MillraceJob.");
  }
}
