package io.millrace.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.TrackerServerConfig;
import io.millrace.internal.config.SettingKey;
import io.millrace.internal.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ExampleConfigTest {
  private static final Path EXAMPLE = Path.of("conf", "tracker.properties");
  private static final Pattern COMMENTED_KEY = Pattern.compile("(?m)^#([a-z][a-z.-]*) =(.*)$");

  @Test
  void exampleIsAnEmptyConfigurationAndIsRead() {
    Settings settings = Settings.load(EXAMPLE);

    assertThat(TrackerServerConfig.read(settings).tracker().rpc().port()).isEqualTo(35_001);
  }

  @Test
  void exampleShowsEveryKeyWithItsDefault() throws IOException {
    Settings settings = Settings.of("nothing", Map.of());
    TrackerServerConfig unused = TrackerServerConfig.read(settings);

    Map<String, String> defaults =
        settings.keys().stream()
            .collect(
                Collectors.toMap(
                    SettingKey::name, key -> key.defaultText() == null ? "" : key.defaultText()));
    assertThat(shown()).containsExactlyInAnyOrderEntriesOf(defaults);
  }

  private static Map<String, String> shown() throws IOException {
    Map<String, String> shown = new LinkedHashMap<>();
    Matcher matcher = COMMENTED_KEY.matcher(Files.readString(EXAMPLE));
    while (matcher.find()) {
      shown.put(matcher.group(1), matcher.group(2).strip());
    }
    return shown;
  }
}
