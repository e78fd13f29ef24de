package io.millrace.test;

import io.millrace.jobclient.JobClient;
import java.lang.reflect.Method;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test method a {@link TestMillrace} of its own, as a parameter of the method and of
 * {@code @BeforeEach} methods. Parameters of the type {@link JobClient} receive its client, and
 * those of the type {@link Clock} its clock. {@link MillraceTest} registers it; register it
 * yourself to configure it in code:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final MillraceExtension MILLRACE =
 *     MillraceExtension.with(
 *         builder -> builder.startAt(NIGHT),
 *         millrace -> millrace.worker("orders", worker -> worker.handler("close", closing)));
 * }</pre>
 *
 * <p>Works with JUnit 5.10 and later, and with JUnit 6. Thread-safe.
 */
public final class MillraceExtension
    implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(MillraceExtension.class);

  private final Consumer<TestMillraceBuilder> settings;
  private final Consumer<TestMillrace> workers;

  /** Creates the extension that {@link MillraceTest} registers. */
  public MillraceExtension() {
    this(builder -> {}, millrace -> {});
  }

  private MillraceExtension(
      Consumer<TestMillraceBuilder> settings, Consumer<TestMillrace> workers) {
    this.settings = Objects.requireNonNull(settings, "settings");
    this.workers = Objects.requireNonNull(workers, "workers");
  }

  /**
   * Returns an extension with settings.
   *
   * @param settings changes the settings before each test
   */
  public static MillraceExtension with(Consumer<TestMillraceBuilder> settings) {
    return new MillraceExtension(settings, millrace -> {});
  }

  /**
   * Returns an extension with settings and workers.
   *
   * @param settings changes the settings before each test
   * @param workers starts workers before each test
   */
  public static MillraceExtension with(
      Consumer<TestMillraceBuilder> settings, Consumer<TestMillrace> workers) {
    return new MillraceExtension(settings, workers);
  }

  /** Starts the tracker of a test. */
  @Override
  public void beforeEach(ExtensionContext context) {
    TestMillraceBuilder builder = TestMillrace.builder();
    annotation(context).ifPresent(found -> apply(found, builder));
    settings.accept(builder);
    TestMillrace millrace = builder.build();
    context.getStore(NAMESPACE).put(TestMillrace.class, millrace);
    workers.accept(millrace);
  }

  private static Optional<MillraceTest> annotation(ExtensionContext context) {
    Optional<MillraceTest> ofMethod =
        context.getTestMethod().map(method -> method.getAnnotation(MillraceTest.class));
    Optional<MillraceTest> found = ofMethod;
    for (Class<?> type = context.getRequiredTestClass();
        found.isEmpty() && type != null;
        type = type.getEnclosingClass()) {
      found = Optional.ofNullable(type.getAnnotation(MillraceTest.class));
    }
    return found;
  }

  private static void apply(MillraceTest annotation, TestMillraceBuilder builder) {
    try {
      ZoneId zone = ZoneId.of(annotation.zone());
      builder.zone(zone);
      if (!annotation.startAt().isEmpty()) {
        builder.startAt(start(annotation.startAt(), zone));
      }
    } catch (DateTimeException unreadable) {
      throw new ExtensionConfigurationException(
          annotation + ": " + unreadable.getMessage(), unreadable);
    }
  }

  private static Instant start(String text, ZoneId zone) {
    return text.endsWith("Z")
        ? Instant.parse(text)
        : LocalDateTime.parse(text).atZone(zone).toInstant();
  }

  /** Closes the tracker of a test. */
  @Override
  public void afterEach(ExtensionContext context) {
    TestMillrace millrace = find(context);
    if (millrace != null) {
      millrace.close();
    }
  }

  /** Returns whether a parameter is of a type that this extension provides. */
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return parameter.getDeclaringExecutable() instanceof Method
        && find(context) != null
        && (type == TestMillrace.class || type == JobClient.class || type == Clock.class);
  }

  /** Returns what a parameter receives. */
  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    TestMillrace millrace = Objects.requireNonNull(find(context));
    Class<?> type = parameter.getParameter().getType();
    if (type == JobClient.class) {
      return millrace.client();
    }
    return type == Clock.class ? millrace.clock() : millrace;
  }

  private static @Nullable TestMillrace find(ExtensionContext context) {
    return context.getStore(NAMESPACE).get(TestMillrace.class, TestMillrace.class);
  }
}
