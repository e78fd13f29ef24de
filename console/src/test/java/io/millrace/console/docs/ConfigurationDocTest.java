package io.millrace.console.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.TrackerServerConfig;
import io.millrace.internal.config.SettingKey;
import io.millrace.internal.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Holds docs/configuration.md against the keys that are really read. */
class ConfigurationDocTest {
  private static final Path PAGE = Path.of("..", "docs", "configuration.md");

  @Test
  void thePageListsEveryKeyWithItsTypeAndDefaultAndNoOther() throws IOException {
    Settings settings = Settings.of("defaults", Map.of());
    TrackerServerConfig config = TrackerServerConfig.read(settings);
    assertThat(config.tracker().rpc().host()).isEqualTo("127.0.0.1");

    List<String> documented =
        Files.readAllLines(PAGE).stream()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.substring(0, line.indexOf('|', nthBar(line, 3)) + 1))
            .toList();

    assertThat(documented)
        .containsExactlyInAnyOrderElementsOf(
            settings.keys().stream().map(ConfigurationDocTest::row).toList());
  }

  private static int nthBar(String line, int n) {
    int at = -1;
    for (int i = 0; i < n; i++) {
      at = line.indexOf('|', at + 1);
    }
    return at + 1;
  }

  private static String row(SettingKey key) {
    String text = key.defaultText();
    String shown = text == null || text.isEmpty() ? "" : "`" + text + "`";
    return "| `" + key.name() + "` | " + key.type() + " | " + shown + " |";
  }
}
