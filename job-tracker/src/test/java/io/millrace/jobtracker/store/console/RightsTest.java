package io.millrace.jobtracker.store.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RightsTest {
  private static final Rights ADMIN = Rights.of(Role.ADMIN);
  private static final Rights OPERATOR = Rights.of(Role.OPERATE);
  private static final Rights VIEWER = Rights.of(Role.VIEW);

  private static NodeGroups groups(String... patterns) {
    return NodeGroups.of(List.of(patterns));
  }

  private static Rights viewer(NodeGroups seen, @Nullable NodeGroups operated) {
    return new Rights(Role.VIEW, seen, operated);
  }

  private static Rights operator(String... patterns) {
    return Rights.of(Role.OPERATE, groups(patterns));
  }

  @Test
  void aViewerMayOperateSomeNodeGroups() {
    Rights some = viewer(NodeGroups.ALL, groups("billing"));

    assertThat(some.allow(Role.VIEW)).isTrue();
    assertThat(some.allow(Role.OPERATE)).isTrue();
    assertThat(some.allow(Role.ADMIN)).isFalse();
    assertThat(some.operatesSome(Role.OPERATE)).isTrue();
    assertThat(some.operatesSome(Role.VIEW)).isFalse();
    assertThat(some.operatesSome(Role.ADMIN)).isFalse();
  }

  @Test
  void rolesAllowWhatTheyInclude() {
    assertThat(VIEWER.allow(Role.VIEW)).isTrue();
    assertThat(VIEWER.allow(Role.OPERATE)).isFalse();
    assertThat(OPERATOR.allow(Role.OPERATE)).isTrue();
    assertThat(OPERATOR.allow(Role.ADMIN)).isFalse();
    assertThat(ADMIN.allow(Role.ADMIN)).isTrue();
    assertThat(List.of(VIEWER, OPERATOR, ADMIN))
        .noneMatch(rights -> rights.operatesSome(Role.OPERATE));
  }

  @Test
  void onlyNodeGroupsThatAreSeenAreOperated() {
    NodeGroups seen = groups("billing*", "reports");
    for (String inside : List.of("billing", "billing*", "billing-*", "billing-eu", "reports")) {
      assertThat(viewer(seen, groups(inside)).operated()).isEqualTo(groups(inside));
    }
    for (String outside : List.of("reports*", "report", "bill*", "orders")) {
      assertThatIllegalArgumentException()
          .as(outside)
          .isThrownBy(() -> viewer(seen, groups("billing", outside)))
          .withMessage(
              "the token cannot operate %s: it may look at billing* reports only", outside);
    }
    assertThatIllegalArgumentException().isThrownBy(() -> viewer(seen, NodeGroups.ALL));
  }

  @Test
  void onlyViewersNameWhatTheyOperate() {
    for (Role role : List.of(Role.OPERATE, Role.ADMIN)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Rights(role, NodeGroups.ALL, groups("billing")))
          .withMessageStartingWith("only a token with the role VIEW names");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rights.of(Role.ADMIN, groups("billing")))
        .withMessageContaining("ADMIN cannot be limited");
  }

  @Test
  void whatDoesNotGoTogetherInTheStoreOperatesNothing() {
    assertThat(Rights.read(Role.OPERATE, groups("orders"), groups("billing")))
        .isEqualTo(operator("orders"));
    assertThat(Rights.read(Role.VIEW, groups("orders"), groups("orders", "billing")))
        .isEqualTo(viewer(groups("orders"), null));
    assertThat(Rights.read(Role.VIEW, NodeGroups.ALL, groups("billing")))
        .isEqualTo(viewer(NodeGroups.ALL, groups("billing")));
  }

  @Test
  void adminsAndOperatorsOfAllRemainSo() {
    assertThat(VIEWER.and(ADMIN)).isEqualTo(ADMIN);
    assertThat(ADMIN.and(operator("orders"))).isEqualTo(ADMIN);
    assertThat(OPERATOR.and(viewer(groups("reports"), null))).isEqualTo(OPERATOR);
    assertThat(operator("orders").and(OPERATOR)).isEqualTo(OPERATOR);
  }

  @Test
  void whoMayLookAtMoreThanToChangeIsAViewer() {
    assertThat(operator("orders", "billing-*").and(VIEWER))
        .isEqualTo(viewer(NodeGroups.ALL, groups("orders", "billing-*")));
    assertThat(VIEWER.and(operator("orders"))).isEqualTo(viewer(NodeGroups.ALL, groups("orders")));
    assertThat(operator("orders").and(viewer(groups("reports"), null)))
        .isEqualTo(viewer(groups("orders", "reports"), groups("orders")));
    assertThat(operator("orders").and(VIEWER).and(operator("billing")))
        .isEqualTo(viewer(NodeGroups.ALL, groups("orders", "billing")));
  }

  @Test
  void whoMayChangeAllThatIsSeenIsAnOperator() {
    assertThat(operator("orders").and(operator("billing-*")))
        .isEqualTo(operator("orders", "billing-*"));
    assertThat(operator("billing-*").and(viewer(groups("billing-eu"), null)))
        .isEqualTo(operator("billing-*"));
    assertThat(viewer(groups("orders"), null).and(viewer(groups("billing"), null)))
        .isEqualTo(viewer(groups("orders", "billing"), null));
  }
}
