package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.json.JsonParserFactory;

/** The metadata of the properties, and the page that lists them. */
class PropertiesPageTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(millrace\\.[a-z.-]+)` \\| (.*?) \\|");

  static List<Map<String, Object>> metadata() throws Exception {
    URL classes = MillraceJob.class.getProtectionDomain().getCodeSource().getLocation();
    URL file =
        classes.getPath().endsWith(".jar")
            ? new URL("jar:" + classes + "!/META-INF/spring-configuration-metadata.json")
            : new URL(classes, "META-INF/spring-configuration-metadata.json");
    String own;
    try (InputStream in = file.openStream()) {
      own = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    List<Map<String, Object>> properties = new ArrayList<>();
    for (Object property :
        (List<?>) JsonParserFactory.getJsonParser().parseMap(own).get("properties")) {
      Map<String, Object> named = new HashMap<>();
      ((Map<?, ?>) property).forEach((key, value) -> named.put(String.valueOf(key), value));
      properties.add(named);
    }
    return properties;
  }

  @Test
  void eachPropertyHasADescription() throws Exception {
    assertThat(metadata())
        .hasSizeGreaterThan(35)
        .allSatisfy(
            property ->
                assertThat((String) property.get("description"))
                    .as(String.valueOf(property.get("name")))
                    .isNotBlank()
                    .endsWith("."));
  }

  @Test
  void pageNamesTheVersionsOfTheTests() throws Exception {
    assertThat(Files.readString(Path.of("..", "docs", "spring-boot.md")))
        .containsPattern(
            "The tests run on [0-9., and]*\\b" + Pattern.quote(SpringBootVersion.getVersion()));
  }

  @Test
  void pageListsThePropertiesAndTheirDefaults() throws Exception {
    Map<String, String> listed = new HashMap<>();
    Matcher rows = ROW.matcher(Files.readString(Path.of("..", "docs", "spring-boot.md")));
    while (rows.find()) {
      listed.put(rows.group(1), rows.group(2).replace("`", ""));
    }
    Set<String> known = new TreeSet<>();
    for (Map<String, Object> property : metadata()) {
      String name = String.valueOf(property.get("name"));
      known.add(name);
      Object preset = property.get("defaultValue");
      if (preset != null) {
        String text =
            preset instanceof List<?> several
                ? String.valueOf(several.get(0))
                : String.valueOf(preset);
        assertThat(listed).containsEntry(name, text);
      }
    }
    assertThat(new TreeSet<>(listed.keySet())).isEqualTo(known);
  }
}
