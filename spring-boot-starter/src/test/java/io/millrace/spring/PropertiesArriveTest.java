package io.millrace.spring;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.OutboxConfig;
import io.millrace.internal.rpc.Token;
import io.millrace.jobclient.JobClientBuilder;
import io.millrace.spring.internal.config.MillraceProperties;
import io.millrace.tasktracker.TaskTrackerBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.util.ReflectionTestUtils;

/** Every property reaches what it is for, so that none can be added and forgotten. */
class PropertiesArriveTest {
  private static final String CLIENT = "millrace.client.";
  private static final String WORKER = "millrace.worker.";
  private static final String SETTINGS = "millrace.tracker.settings";
  private static final String SETTING = "rpc.host";

  /** Each property, with a value that is not its default. */
  private static final Map<String, String> VALUES =
      new TreeMap<>(
          Map.ofEntries(
              entry("millrace.enabled", "false"),
              entry("millrace.trackers", "127.0.0.1:1,127.0.0.1:2"),
              entry("millrace.token", "a token of both roles"),
              entry("millrace.token-file", "/secrets/both"),
              entry("millrace.tls.enabled", "true"),
              entry("millrace.tls.bundle", "trackers"),
              entry("millrace.tls.certificates", "/certificates/authorities.pem"),
              entry("millrace.client.enabled", "false"),
              entry("millrace.client.token", "the token of clients"),
              entry("millrace.client.token-file", "/secrets/client"),
              entry("millrace.client.group", "orders"),
              entry("millrace.client.node-name", "counter"),
              entry("millrace.client.request-timeout", "31s"),
              entry("millrace.client.connect-timeout", "6s"),
              entry("millrace.client.close-timeout", "11s"),
              entry("millrace.client.max-jobs-in-flight", "10001"),
              entry("millrace.client.outbox", "/data/client"),
              entry("millrace.client.outbox-patience", "2s"),
              entry("millrace.worker.enabled", "false"),
              entry("millrace.worker.token", "the token of workers"),
              entry("millrace.worker.token-file", "/secrets/worker"),
              entry("millrace.worker.node-group", "billing"),
              entry("millrace.worker.id", "worker-7"),
              entry("millrace.worker.slots", "65"),
              entry("millrace.worker.labels", "gpu"),
              entry("millrace.worker.prefetch", "257"),
              entry("millrace.worker.pull-interval", "1001ms"),
              entry("millrace.worker.shutdown-grace", "16s"),
              entry("millrace.worker.interrupt-grace", "4s"),
              entry("millrace.worker.max-stuck-invocations", "17"),
              entry("millrace.worker.threads", "platform"),
              entry("millrace.worker.interrupt-when-lost", "false"),
              entry("millrace.worker.outbox", "/data/worker"),
              entry("millrace.declarations.enabled", "false"),
              entry("millrace.declarations.owner", "the shop"),
              entry("millrace.declarations.revision", "7"),
              entry("millrace.declarations.retire", "false"),
              entry("millrace.declarations.adopt", "true"),
              entry("millrace.enqueue.enabled", "true"),
              entry("millrace.enqueue.table-prefix", "app_"),
              entry("millrace.enqueue.relay", "false"),
              entry("millrace.tracker.embedded", "true"),
              entry("millrace.tracker.store.url", "jdbc:h2:mem:jobs"),
              entry("millrace.tracker.store.username", "keeper"),
              entry("millrace.tracker.store.password", "of the keeper"),
              entry("millrace.tracker.console.enabled", "true"),
              entry(SETTINGS, "127.0.0.2"),
              entry("millrace.health.timeout", "900ms")));

  /** Fields of the builders with other names than the properties. */
  private static final Map<String, String> FIELDS =
      Map.of(
          "millrace.client.group", "clientGroup",
          "millrace.client.node-name", "id",
          "millrace.worker.threads", "runnerThreads");

  /** What does not go to a builder, and the test of an application that sets it. */
  private static final Map<String, Class<?>> ELSEWHERE =
      Map.ofEntries(
          entry("millrace.enabled", BeansTest.class),
          entry("millrace.trackers", BeansTest.class),
          entry("millrace.token", TokensTest.class),
          entry("millrace.token-file", TokensTest.class),
          entry("millrace.tls.enabled", SslBundleTest.class),
          entry("millrace.tls.bundle", SslBundleTest.class),
          entry("millrace.tls.certificates", SslBundleTest.class),
          entry("millrace.client.enabled", BeansTest.class),
          entry("millrace.client.token-file", TokensTest.class),
          entry("millrace.worker.enabled", BeansTest.class),
          entry("millrace.worker.token-file", TokensTest.class),
          entry("millrace.declarations.enabled", DeclarationSettingsTest.class),
          entry("millrace.declarations.owner", DeclarationSettingsTest.class),
          entry("millrace.declarations.revision", DeclarationSettingsTest.class),
          entry("millrace.declarations.retire", DeclarationSettingsTest.class),
          entry("millrace.declarations.adopt", DeclarationSettingsTest.class),
          entry("millrace.enqueue.enabled", TransactionalJobsTest.class),
          entry("millrace.enqueue.table-prefix", TransactionalJobsOnServersTest.class),
          entry("millrace.enqueue.relay", TransactionalJobsTest.class),
          entry("millrace.tracker.embedded", EmbeddedShop.class),
          entry("millrace.tracker.store.url", EmbeddedTrackerTest.class),
          entry("millrace.tracker.store.username", EmbeddedTrackerTest.class),
          entry("millrace.tracker.store.password", EmbeddedTrackerTest.class),
          entry("millrace.tracker.console.enabled", EmbeddedTrackerTest.class),
          entry(SETTINGS, EmbeddedTrackerTest.class),
          entry("millrace.health.timeout", HealthTest.class));

  private static MillraceProperties bind(Map<String, String> values) {
    Map<String, String> source = new HashMap<>(values);
    String setting = source.remove(SETTINGS);
    if (setting != null) {
      source.put(SETTINGS + "." + SETTING, setting);
    }
    return new Binder(new MapConfigurationPropertySource(source))
        .bindOrCreate("millrace", MillraceProperties.class);
  }

  /** Returns the component of the properties that a name stands for. */
  private static @Nullable Object read(MillraceProperties properties, String name)
      throws ReflectiveOperationException {
    Object at = properties;
    for (String segment : name.substring("millrace.".length()).split("\\.")) {
      at = at.getClass().getMethod(camelCase(segment)).invoke(at);
    }
    return at;
  }

  private static String camelCase(String segment) {
    StringBuilder name = new StringBuilder();
    for (String word : segment.split("-")) {
      name.append(
          name.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
    }
    return name.toString();
  }

  private static Object meant(String name, Object bound) {
    String text = VALUES.get(name);
    if (name.equals(SETTINGS)) {
      return Map.of(SETTING, text);
    }
    if (bound instanceof Path) {
      return Path.of(text);
    }
    Class<?> type = bound instanceof List ? List.class : bound.getClass();
    return ApplicationConversionService.getSharedInstance().convert(text, type);
  }

  @Test
  void eachPropertyOfTheMetadataIsBound() throws Exception {
    Set<String> known = new TreeSet<>();
    PropertiesPageTest.metadata()
        .forEach(property -> known.add(String.valueOf(property.get("name"))));
    assertThat(VALUES.keySet()).isEqualTo(known);

    MillraceProperties set = bind(VALUES);
    MillraceProperties preset = bind(Map.of());
    for (String name : VALUES.keySet()) {
      Object bound = read(set, name);
      assertThat(bound).as(name).isNotNull().isNotEqualTo(read(preset, name));
      assertThat(bound).as(name).isEqualTo(meant(name, bound));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Shop {
    final Map<String, Object> builders = new HashMap<>();

    @MillraceJob("work")
    void work() {}

    @Bean
    JobClientCustomizer client() {
      return builder -> builders.put(CLIENT, builder);
    }

    @Bean
    TaskTrackerCustomizer worker() {
      return builder -> builders.put(WORKER, builder);
    }
  }

  @Test
  void thoseOfClientAndWorkerReachTheirBuilders(@TempDir Path folder) {
    Map<String, String> values = new TreeMap<>(VALUES);
    values
        .keySet()
        .removeIf(
            name ->
                ELSEWHERE.containsKey(name)
                    || !(name.startsWith(CLIENT) || name.startsWith(WORKER)));
    values.replaceAll(
        (name, value) -> name.endsWith(".outbox") ? folder.resolve(name).toString() : value);
    MillraceProperties bound = bind(values);
    List<String> properties = new ArrayList<>(List.of("millrace.trackers=127.0.0.1:1"));
    values.forEach((name, value) -> properties.add(name + "=" + value));

    new ApplicationContextRunner()
        .withUserConfiguration(Shop.class)
        .withPropertyValues(properties.toArray(String[]::new))
        .run(
            context -> {
              Map<String, Object> builders = context.getBean(Shop.class).builders;
              assertThat(builders.get(CLIENT)).isInstanceOf(JobClientBuilder.class);
              assertThat(builders.get(WORKER)).isInstanceOf(TaskTrackerBuilder.class);
              for (String name : values.keySet()) {
                Object builder = builders.get(name.startsWith(CLIENT) ? CLIENT : WORKER);
                assertArrived(name, builder, read(bound, name));
              }
            });
  }

  private static void assertArrived(String name, Object builder, Object bound) {
    String last = camelCase(name.substring(name.lastIndexOf('.') + 1));
    Object arrived = ReflectionTestUtils.getField(builder, FIELDS.getOrDefault(name, last));
    Object meant = bound;
    if (bound instanceof Path directory) {
      meant = OutboxConfig.of(directory);
    } else if (arrived instanceof Token) {
      meant = Token.of(String.valueOf(bound));
    }
    if (name.endsWith(".node-name")) {
      assertThat(String.valueOf(arrived)).as(name).startsWith(String.valueOf(meant));
    } else {
      assertThat(arrived).as(name).isEqualTo(meant);
    }
  }

  @Test
  void theOthersAreSetInATestOfAnApplication() throws Exception {
    Set<String> others = new TreeSet<>(VALUES.keySet());
    others.removeIf(
        name ->
            !ELSEWHERE.containsKey(name) && (name.startsWith(CLIENT) || name.startsWith(WORKER)));
    assertThat(new TreeSet<>(ELSEWHERE.keySet())).isEqualTo(others);

    Path tests = Path.of("..", "spring-boot-starter", "src", "test", "java");
    for (Map.Entry<String, Class<?>> tested : ELSEWHERE.entrySet()) {
      String file = tested.getValue().getName().replace('.', '/') + ".java";
      assertThat(Files.readString(tests.resolve(file)))
          .as(file)
          .containsPattern(tested.getKey().replace(".", "\\.") + "[=.]");
    }
  }
}
