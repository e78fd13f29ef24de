package io.millrace.tasktracker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Applications without Micrometer on their class path can do without it. */
class WithoutMicrometerTest {
  private static final String MICROMETER = "io.micrometer.core.instrument.MeterRegistry";

  @Test
  void workerWithoutARegistryNeedsNoMicrometer() throws Exception {
    try (URLClassLoader loader = classPathWithoutMicrometer()) {
      Class<?> probe = loader.loadClass(Probe.class.getName());
      assertThat(probe.getClassLoader()).isSameAs(loader);

      Object made = probe.getMethod("make").invoke(null);

      assertThat(made).asString().startsWith("worker");
      assertThatThrownBy(() -> loader.loadClass(MICROMETER))
          .isInstanceOf(ClassNotFoundException.class);
    }
  }

  /** What an application does. */
  public static final class Probe {
    private Probe() {}

    public static String make() {
      try (TaskTracker worker =
          TaskTracker.builder()
              .trackers("127.0.0.1:1")
              .nodeGroup("orders")
              .runner(context -> Result.success())
              .shutdownGrace(Duration.ZERO)
              .build()) {
        worker.start();
        return worker.toString();
      }
    }
  }

  private static URLClassLoader classPathWithoutMicrometer() {
    URL[] classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("micrometer"))
            .map(WithoutMicrometerTest::url)
            .toArray(URL[]::new);
    return new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader());
  }

  private static URL url(String entry) {
    try {
      return Path.of(entry).toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(entry, e);
    }
  }
}
