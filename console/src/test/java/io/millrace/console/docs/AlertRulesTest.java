package io.millrace.console.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * The alert rules are YAML, and each has what Prometheus and whoever is woken by it need. That a
 * scrape has what they ask for is held by {@link MetricsDocTest}.
 */
class AlertRulesTest {
  private static final Path FILE = Path.of("..", "docs", "alert-rules.yml");
  private static final Pattern DURATION = Pattern.compile("\\d+(ms|s|m|h|d)");
  private static final Pattern METER = Pattern.compile("\\bmillrace_[a-z0-9_]+");
  private static final Pattern LABEL = Pattern.compile("\\$labels\\.(\\w+)");
  private static final Set<String> FIELDS = Set.of("alert", "expr", "for", "labels", "annotations");

  @Test
  void everyRuleIsWhole() throws IOException {
    List<Map<String, Object>> rules = rules(Files.readString(FILE));

    assertThat(rules).hasSizeGreaterThan(10);
    assertThat(rules.stream().flatMap(rule -> faults(rule).stream())).isEmpty();
    assertThat(rules).extracting(rule -> rule.get("alert")).doesNotHaveDuplicates();
  }

  @Test
  void ruleThatLacksSomethingIsFaulty() {
    String whole =
        """
        groups:
          - name: a
            rules:
              - alert: A
                expr: sum by (group) (millrace_x) > 0
                for: 1m
                labels: {severity: warning}
                annotations: {summary: "{{ $labels.group }} is late"}
        """;

    assertThat(faultsOf(whole)).isEmpty();
    assertThat(faultsOf(whole.replace("expr: sum by (group) (millrace_x) > 0", "expr: up == 0")))
        .containsExactly("A: asks for no meter of Millrace");
    assertThat(faultsOf(whole.replace("(millrace_x) > 0", "(millrace_x > 0")))
        .containsExactly("A: its brackets do not match");
    assertThat(faultsOf(whole.replace("for: 1m", "for: soon")))
        .containsExactly("A: for is no duration: soon");
    assertThat(faultsOf(whole.replace("        for: 1m\n", "")))
        .containsExactly("A: for is no duration: null");
    assertThat(faultsOf(whole.replace("severity: warning", "severity: bad")))
        .containsExactly("A: severity is bad");
    assertThat(faultsOf(whole.replace("labels: {severity", "labels: {severe")))
        .containsExactly("A: severity is null");
    assertThat(faultsOf(whole.replace("summary:", "sumary:")))
        .containsExactly("A: it has no summary");
    assertThat(faultsOf(whole.replace("$labels.group", "$labels.gruop")))
        .containsExactly("A: it says gruop, which its expr sums away");
    assertThat(faultsOf(whole.replace("for: 1m", "for: 1m\n        record: x")))
        .containsExactly("A: Prometheus does not know [record]");
    assertThatThrownBy(() -> rules(whole.replace("for: 1m", "for: 1m\n        for: 2m")))
        .as("a key that is there twice")
        .isInstanceOf(YAMLException.class);
  }

  private static List<String> faultsOf(String text) {
    return rules(text).stream().flatMap(rule -> faults(rule).stream()).toList();
  }

  /** The rule of this name in the file. */
  static Map<String, Object> rule(String alert) throws IOException {
    return rules(Files.readString(FILE)).stream()
        .filter(rule -> alert.equals(rule.get("alert")))
        .findFirst()
        .orElseThrow();
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> rules(String text) {
    LoaderOptions strict = new LoaderOptions();
    strict.setAllowDuplicateKeys(false);
    Map<String, Object> file = new Yaml(strict).load(text);
    assertThat(file).containsOnlyKeys("groups");
    List<Map<String, Object>> rules = new ArrayList<>();
    for (Map<String, Object> group : (List<Map<String, Object>>) file.get("groups")) {
      assertThat(group).containsOnlyKeys("name", "rules");
      rules.addAll((List<Map<String, Object>>) group.get("rules"));
    }
    return rules;
  }

  private static List<String> faults(Map<String, Object> rule) {
    List<String> faults = new ArrayList<>();
    String expr = String.valueOf(rule.get("expr"));
    if (!METER.matcher(expr).find()) {
      faults.add("asks for no meter of Millrace");
    }
    if (expr.chars().filter(c -> c == '(').count() != expr.chars().filter(c -> c == ')').count()) {
      faults.add("its brackets do not match");
    }
    String lasting = String.valueOf(rule.get("for"));
    if (!DURATION.matcher(lasting).matches()) {
      faults.add("for is no duration: " + lasting);
    }
    Object severity = part(rule, "labels").get("severity");
    if (!List.of("critical", "warning").contains(String.valueOf(severity))) {
      faults.add("severity is " + severity);
    }
    Map<?, ?> annotations = part(rule, "annotations");
    if (String.valueOf(annotations.get("summary")).equals("null")) {
      faults.add("it has no summary");
    }
    LABEL
        .matcher(annotations.toString())
        .results()
        .map(label -> label.group(1))
        .filter(label -> expr.contains(" by (") && !expr.matches(".*\\b" + label + "\\b.*"))
        .forEach(label -> faults.add("it says " + label + ", which its expr sums away"));
    Set<String> unknown = new HashSet<>(rule.keySet());
    unknown.removeAll(FIELDS);
    if (!unknown.isEmpty()) {
      faults.add("Prometheus does not know " + unknown);
    }
    return faults.stream().map(fault -> rule.get("alert") + ": " + fault).toList();
  }

  private static Map<?, ?> part(Map<String, Object> rule, String name) {
    return rule.get(name) instanceof Map<?, ?> there ? there : Map.of();
  }
}
