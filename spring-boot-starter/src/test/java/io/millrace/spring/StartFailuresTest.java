package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.WorkerLossPolicy;
import io.millrace.spring.internal.config.MillraceProperties;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.tools.ToolProvider;
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
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** What an application prints that cannot start: what is wrong and where, and what to change. */
@ExtendWith(OutputCaptureExtension.class)
class StartFailuresTest {

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Plain {
    @MillraceJob("work")
    void work() {}
  }

  private static SpringApplication application(List<Class<?>> sources) {
    SpringApplication application = new SpringApplication(sources.toArray(Class<?>[]::new));
    application.setWebApplicationType(WebApplicationType.NONE);
    application.setRegisterShutdownHook(false);
    return application;
  }

  private static String start(CapturedOutput output, List<Class<?>> sources, String... more) {
    SpringApplication application = application(sources);
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
  void unknownEnvironmentVariableIsLeftAlone() {
    String environment = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
    SpringApplication application = application(List.of(Plain.class));
    application.addInitializers(
        context ->
            context
                .getEnvironment()
                .getPropertySources()
                .replace(
                    environment,
                    new SystemEnvironmentPropertySource(
                        environment,
                        Map.of("MILLRACE_WORKER_SLOTZ", "3", "MILLRACE_WORKER_SLOTS", "5"))));

    try (ConfigurableApplicationContext context =
        application.run("--spring.application.name=shop", "--millrace.trackers=127.0.0.1:1")) {
      assertThat(context.getBean(MillraceProperties.class).worker().slots()).isEqualTo(5);
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

  /** A class that was compiled without the option {@code -parameters}. */
  @Test
  void methodWithoutTheNamesOfItsParameters(CapturedOutput output, @TempDir Path folder)
      throws Exception {
    Path source = folder.resolve("Nameless.java");
    Files.writeString(
        source,
        """
        public class Nameless {
          @io.millrace.spring.MillraceJob("nameless")
          public void run(String orderId) {}
        }
        """);
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-cp",
                System.getProperty("java.class.path"),
                source.toString());
    assertThat(compiled).isZero();

    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      assertThat(startWith(output, loader.loadClass("Nameless")))
          .contains(
              "The names of the parameters of Nameless.run() are not in its class file",
              "Action: Compile with the option -parameters");
    }
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
  static class WithBroadcastOfShards {
    @MillraceJob("reload")
    @Recurring(every = "1h", broadcast = true, shards = 2)
    void reload() {}
  }

  @Configuration(proxyBeanMethods = false)
  static class WithLostWorkersOfNoBroadcast {
    @MillraceJob("reload")
    @Recurring(every = "1h", onWorkerLost = WorkerLossPolicy.DEAD)
    void reload() {}
  }

  @Test
  void recurringWithABroadcastThatIsNone(CapturedOutput output) {
    assertThat(startWith(output, WithBroadcastOfShards.class))
        .contains("WithBroadcastOfShards.reload() has broadcast together with shards or stickTo.");
    assertThat(startWith(output, WithLostWorkersOfNoBroadcast.class))
        .contains("WithLostWorkersOfNoBroadcast.reload() has onWorkerLost without broadcast.");
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
