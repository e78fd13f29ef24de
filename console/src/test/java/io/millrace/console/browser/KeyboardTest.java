package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.console.api.job.JobDetail;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** The console without a mouse. */
@InBrowser
class KeyboardTest {
  private static final int MOST_STOPS = 80;

  /** Goes from one stop to the next until the focus is on this. */
  private static void goTo(String name, Operator operator) {
    goTo(name, Keys.TAB, operator);
  }

  private static void goTo(String name, CharSequence key, Operator operator) {
    List<String> stops = new ArrayList<>();
    while (!operator.focus().equals(name)) {
      stops.add(operator.focus());
      assertThat(stops).as("stops on the way to %s", name).hasSizeLessThan(MOST_STOPS);
      operator.press(key);
    }
  }

  @Test
  void jobIsPausedWithoutAMouse(Operator operator, ConsoleScene scene) {
    scene.client().submit(Job.builder("orders", "by-keys").cron("0 0 5 1 1 ?").build());
    operator.visit(scene.url());

    assertThat(operator.focus()).as("where a visitor begins").isEqualTo("Token");
    operator.press(scene.alice(), Keys.ENTER);
    operator.sees("Sign out");
    goTo("Jobs", operator);
    operator.press(Keys.ENTER);
    operator.sees("Which jobs are there");
    assertThat(operator.focus()).as("a new page is read from its heading").isEqualTo("Jobs");
    goTo("Pause by-keys", operator);
    operator.press(Keys.ENTER);
    operator.isAsked("Pause orders/by-keys?");

    operator.press(Keys.ESCAPE);
    assertThat(operator.dialog()).isEmpty();
    assertThat(operator.focus()).as("after Escape").isEqualTo("Pause by-keys");
    assertThat(scene.get("/jobs/orders/by-keys", JobDetail.class).progress().pause()).isNull();

    operator.press(Keys.ENTER);
    operator.isAsked("Pause orders/by-keys?");
    goTo("Reason, shown to other users", operator);
    operator.press("no mouse here");
    goTo("Pause", operator);
    operator.press(Keys.ENTER);

    operator.sees("orders/by-keys is paused.");
    operator.seesInRow("by-keys", "no mouse here");
    assertThat(operator.focus()).as("after the pause").isEqualTo("Resume by-keys");
  }

  @Test
  void focusIsKeptWhereOneButtonTakesThePlaceOfAnother(Operator operator, ConsoleScene scene) {
    scene.client().submit(Job.builder("orders", "by-keys-too").cron("0 0 5 1 1 ?").build());
    operator.visit(scene.url());
    operator.signIn(scene.alice());
    operator.open("/jobs/orders/by-keys-too");
    goTo("Pause", operator);
    operator.press(Keys.ENTER);
    operator.isAsked("Pause orders/by-keys-too?");
    goTo("Pause", operator);
    operator.press(Keys.ENTER);
    operator.sees("is paused.");
    operator.settle();

    assertThat(operator.focus()).isEqualTo("Resume");
  }

  @Test
  void whoComesByKeysIsPastTheListOfPagesAndCanSkipIt(Operator operator, ConsoleScene scene) {
    operator.visit(scene.url());
    operator.signIn(scene.alice());
    operator.open("/jobs");
    operator.reload();
    assertThat(operator.focus()).isEqualTo("Jobs");
    operator.press(Keys.TAB);
    assertThat(operator.focus()).isEqualTo("Name contains");

    goTo("Skip to the page", Keys.chord(Keys.SHIFT, Keys.TAB), operator);
    operator.press(Keys.ENTER);

    assertThat(operator.focus()).isEqualTo("Jobs");
  }
}
