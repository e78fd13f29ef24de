package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What waits, and how all of one kind are taken away. */
@InBrowser
class WaitingByHandTest {
  private static final int MANY = 120;

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  private static void submit(ConsoleScene scene, String group, String kind, int count) {
    Instant at = Instant.now().plus(Duration.ofHours(5));
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      jobs.add(Job.builder(group, "%s:%03d".formatted(kind, i)).at(at).handler(kind).build());
    }
    scene.client().submitAll(jobs);
  }

  private static List<String> waiting(ConsoleScene scene, String group, String kind) {
    return scene
        .console()
        .database()
        .query(
            "SELECT task_id FROM jt_waiting_%s WHERE task_id LIKE '%s:%%'".formatted(group, kind));
  }

  @Test
  void allOfOneKindAreCountedCancelledAndTheOthersStay(Operator operator, ConsoleScene scene) {
    submit(scene, "kinds", "letter", MANY);
    submit(scene, "kinds", "order", 3);
    operator.open("/waiting?group=kinds&prefix=letter%3A");
    assertThat(operator.texts("tbody tr")).hasSize(50).allMatch(row -> row.contains("one-shot"));
    assertThat(Accessibility.barriers(operator)).isEmpty();

    operator.click("Cancel all that match");
    operator.isAsked("Cancel 120 one-shots?");
    operator.isAsked("kinds");
    operator.click("Back");
    assertThat(waiting(scene, "kinds", "letter")).hasSize(MANY);
    operator.click("Cancel all that match");
    operator.click("Cancel 120");
    operator.sees("120 of 120 done.");

    assertThat(waiting(scene, "kinds", "letter")).isEmpty();
    assertThat(waiting(scene, "kinds", "order")).hasSize(3);
    operator.sees("Nothing that matches is waiting.");
  }

  @Test
  void someAreChosenAndWhatRecursIsNotAmongThem(Operator operator, ConsoleScene scene) {
    submit(scene, "mixed", "letter", 3);
    scene.client().submit(Job.builder("mixed", "metronome").every(Duration.ofMinutes(3)).build());
    operator.open("/waiting?group=mixed");
    operator.sees("metronome");
    assertThat(operator.texts("tbody tr"))
        .filteredOn(row -> row.contains("metronome"))
        .isNotEmpty()
        .allMatch(row -> row.contains("scheduled") && !row.contains("Cancel"));

    operator.tick("Select letter:000");
    operator.tick("Select letter:002");
    operator.click("Cancel job: all that are selected");
    operator.isAsked("Cancel 2 one-shots?");
    operator.click("Cancel 2");
    operator.sees("2 of 2 done.");

    assertThat(waiting(scene, "mixed", "letter")).containsExactly("letter:001");
    scene.client().cancel("mixed", "metronome");
  }

  @Test
  void groupIsChosenFirst(Operator operator, ConsoleScene scene) {
    operator.open("/waiting");

    operator.click("mail");
    operator.sees("letter:301");

    assertThat(operator.address()).endsWith("/#/waiting?group=mail");
  }
}
