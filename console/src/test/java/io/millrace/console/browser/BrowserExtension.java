package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One browser for all tests of a JVM, and one scene for those that ask for it: their start is what
 * costs. Tests that share the scene leave its jobs as they are and bring their own.
 */
final class BrowserExtension implements ParameterResolver, AfterEachCallback {
  private static final Namespace ROOM = Namespace.create(BrowserExtension.class);

  private static Chromium browser(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(ROOM)
        .computeIfAbsent("browser", key -> Chromium.open(), Chromium.class);
  }

  private static ConsoleScene scene(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(ROOM)
        .computeIfAbsent("scene", key -> ConsoleScene.open(), ConsoleScene.class);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Operator.class || type == ConsoleScene.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Operator.class
        ? new Operator(browser(context))
        : scene(context);
  }

  /** What a page complained of is seen here whatever the test has looked at. */
  @Override
  public void afterEach(ExtensionContext context) {
    Chromium browser = browser(context);
    if (context.getExecutionException().isPresent()) {
      String name = context.getRequiredTestClass().getSimpleName() + "." + context.getDisplayName();
      browser.picture(
          Path.of("target", "screenshots", "failed", name.replaceAll("[^A-Za-z0-9.]", "") + ".png"),
          Picture.WHOLE);
      return;
    }
    assertThat(browser.complaints()).as("what the browser complained of").isEmpty();
  }
}
