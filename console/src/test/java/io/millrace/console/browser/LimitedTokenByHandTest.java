package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The console with a token that is limited to node groups. */
@InBrowser
class LimitedTokenByHandTest {
  private static String token = "";

  @BeforeEach
  void signIn(Operator operator, ConsoleScene scene) throws Exception {
    if (token.isEmpty()) {
      token =
          scene.issued(
              "\"name\":\"two-groups\",\"role\":\"OPERATE\",\"nodeGroups\":[\"billing\",\"mail\"]");
    }
    operator.visit(scene.url());
    operator.signIn(token);
  }

  @Test
  void itBeginsAtItsNodeGroupsAndOffersOnlyWhatItMayOpen(Operator operator, ConsoleScene scene) {
    operator.seesIn("h1", "Node groups");
    assertThat(operator.address()).endsWith("/#/groups");
    assertThat(operator.texts("tbody tr td:first-child")).containsExactly("billing", "mail");
    assertThat(operator.texts("#navigation a"))
        .contains("Jobs", "History", "Waiting", "Submit a job")
        .doesNotContain("Overview", "Late", "Audit", "Tokens");
    assertThat(Accessibility.barriers(operator)).isEmpty();
  }

  @Test
  void listsAskForANodeGroupFirst(Operator operator, ConsoleScene scene) {
    for (String page :
        new String[] {
          "/jobs",
          "/running",
          "/waiting",
          "/upcoming",
          "/history",
          "/timeline",
          "/week",
          "/dead",
          "/workers"
        }) {
      operator.open(page);
      operator.sees("Your token is limited to node groups.");
      assertThat(operator.texts("tbody tr")).as(page).containsExactly("billing", "mail");
      operator.click("billing");
      operator.seesNoMore("Your token is limited to node groups.");
      assertThat(operator.texts(".problem")).as(page).isEmpty();
      assertThat(operator.address()).as(page).contains("roup=billing");
    }
    operator.open("/jobs?group=orders");
    operator.sees("there is no node group orders");
  }
}
