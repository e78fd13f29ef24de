package io.millrace.console.browser;

import org.openqa.selenium.Keys;

/** The dialogs of the console; those that follow the language stay open if they are. */
final class ConsoleDialogs {
  private ConsoleDialogs() {}

  /** A question keeps the language that it was asked in, so it is asked anew. */
  static void question(Operator operator) {
    operator.script(
        """
        document.querySelector('dialog.question footer button')?.click();
        document.querySelector('tr[data-key="reports/daily-sales"] td.actions button').click();
        document.querySelector('#reason').value = 'waits for the tax rates';""");
  }

  static void finder(Operator operator) {
    if (operator.dialog().isEmpty()) {
      operator.press(Keys.chord(Keys.CONTROL, "k"));
      operator.press("daily");
      operator.isAsked("daily-sales");
    }
  }

  /** Over the page that is open, when it is refreshed after its session has ended. */
  static void endOfSession(Operator operator) {
    if (operator.dialog().isEmpty()) {
      operator.browser().driver().manage().deleteAllCookies();
      operator.isAsked("admin");
    }
  }
}
