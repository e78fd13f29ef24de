package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.console.api.job.JobDetail;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Parameters that are edited as a table, with types. */
@InBrowser
class ParamsByHandTest {
  private static final String TEXT = "document.querySelector('textarea[name=params]')";

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  @AfterEach
  void goBackToText(Operator operator) {
    operator.script("localStorage.removeItem('millrace.params')");
  }

  private static Map<String, String> params(ConsoleScene scene, String task) {
    return Objects.requireNonNull(
        scene.get("/jobs/orders/" + task, JobDetail.class).settings().params());
  }

  @Test
  void valuesAreEditedWithTheirTypesAndNothingElseChanges(Operator operator, ConsoleScene scene) {
    scene
        .client()
        .submit(
            Job.builder("orders", "typed")
                .cron("0 0 5 1 1 ?")
                .param("amount", "12.50")
                .param("dry", "true")
                .param("filter", "{\"a\":[1,2]}")
                .param("lines", "one\n two ")
                .param("name", "a=b")
                .build());
    operator.open("/jobs/orders/typed/edit");
    operator.click("Edit as a table");
    assertThat(operator.holds("Type of parameter 1")).isEqualTo("number");
    assertThat(operator.holds("Type of parameter 2")).isEqualTo("boolean");
    assertThat(operator.holds("Type of parameter 3")).isEqualTo("json");
    assertThat(operator.holds("Type of parameter 4")).isEqualTo("lines");
    assertThat(operator.holds("Type of parameter 5")).isEqualTo("text");
    assertThat(operator.script("return " + TEXT + ".checkVisibility()")).isEqualTo(false);
    assertThat(Accessibility.barriers(operator)).isEmpty();

    operator.type("Value of parameter 1", "13");
    operator.click("Add a parameter");
    operator.type("Name of parameter 6", "extra");
    operator.type("Value of parameter 6", "x");
    operator.click("Remove parameter 2: dry");
    operator.click("Save");
    operator.isAsked("3 fields change");
    operator.click("Save the changes");
    operator.sees("orders/typed is changed.");

    assertThat(params(scene, "typed"))
        .containsOnly(
            Map.entry("amount", "13"),
            Map.entry("filter", "{\"a\":[1,2]}"),
            Map.entry("lines", "one\n two "),
            Map.entry("name", "a=b"),
            Map.entry("extra", "x"));
  }

  @Test
  void wrongValueIsNamedAndNotSent(Operator operator, ConsoleScene scene) {
    scene
        .client()
        .submit(Job.builder("orders", "wrong").cron("0 0 5 1 1 ?").param("n", "1").build());
    operator.open("/jobs/orders/wrong/edit");
    operator.click("Edit as a table");

    operator.type("Value of parameter 1", "1x");
    operator.sees("This is not a number.");
    operator.click("Save");
    assertThat(operator.dialog()).isEmpty();
    operator.click("Add a parameter");
    operator.type("Name of parameter 2", "n");
    operator.sees("“n” appears twice.");
    operator.type("Name of parameter 2", "m");
    operator.choose("Type of parameter 1", "text");
    operator.click("Save");
    operator.isAsked("Save orders/wrong?");
    operator.click("Save the changes");
    operator.sees("orders/wrong is changed.");

    assertThat(params(scene, "wrong")).containsOnly(Map.entry("n", "1x"), Map.entry("m", ""));
  }

  @Test
  void textThatCannotBeReadStaysAText(Operator operator, ConsoleScene scene) {
    operator.open("/submit");
    operator.type("Parameters", "no equals sign");

    operator.click("Edit as a table");

    operator.sees("Line 1 is not of the form name=value.");
    assertThat(operator.holds("Parameters")).isEqualTo("no equals sign");
    assertThat(operator.script("return " + TEXT + ".checkVisibility()")).isEqualTo(true);
    operator.type("Parameters", "a=1");
    operator.click("Edit as a table");
    assertThat(operator.holds("Name of parameter 1")).isEqualTo("a");
    operator.click("Edit as text");
    assertThat(operator.holds("Parameters")).isEqualTo("a=1");
  }
}
