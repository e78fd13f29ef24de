package io.millrace.jobtracker.store.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeGroupsTest {

  @Test
  void allIncludeEverything() {
    assertThat(NodeGroups.ALL.areLimited()).isFalse();
    assertThat(NodeGroups.ALL.include("anything")).isTrue();
    assertThat(NodeGroups.ALL.only()).isEmpty();
    assertThat(NodeGroups.ALL.text()).isNull();
    assertThat(NodeGroups.of(null)).isEqualTo(NodeGroups.ALL).isEqualTo(NodeGroups.read(null));
  }

  @Test
  void namesAreExactAndPrefixesAreNot() {
    NodeGroups groups = NodeGroups.of(List.of("orders", "billing-*"));

    assertThat(groups.areLimited()).isTrue();
    for (String one : List.of("orders", "billing-", "billing-eu")) {
      assertThat(groups.include(one)).as(one).isTrue();
    }
    for (String other :
        List.of("", "order", "orders-eu", "Orders", "billing", "Billing-eu", "x-billing-eu", "*")) {
      assertThat(groups.include(other)).as(other).isFalse();
    }
    assertThat(groups.only()).isEmpty();
    assertThat(NodeGroups.of(List.of("orders", "orders")).only()).contains("orders");
    assertThat(NodeGroups.of(List.of("orders*")).only()).isEmpty();
  }

  @Test
  void textIsReadBack() {
    NodeGroups groups = NodeGroups.of(List.of("orders", "billing-*"));
    assertThat(groups.text()).isEqualTo("orders billing-*");
    assertThat(NodeGroups.read(groups.text())).isEqualTo(groups);
    assertThat(NodeGroups.read("").areLimited()).as("a broken row is for no node group").isTrue();
    assertThat(NodeGroups.read("").include("orders")).isFalse();
  }

  @Test
  void wrongOnesAreRefused() {
    for (List<String> wrong :
        List.of(
            List.<String>of(),
            List.of("*"),
            List.of(""),
            List.of("a b"),
            List.of("a*b"),
            List.of("-a"),
            List.of("a**"),
            List.of("x".repeat(65)),
            Collections.nCopies(21, "a"))) {
      assertThatIllegalArgumentException()
          .as(wrong.toString())
          .isThrownBy(() -> NodeGroups.of(wrong));
    }
  }

  @Test
  void aPatternOutsideIsNamed() {
    NodeGroups groups = NodeGroups.of(List.of("orders", "billing-*"));
    assertThat(NodeGroups.of(List.of("billing-eu", "orders", "billing-x*")).outside(groups))
        .isNull();
    assertThat(NodeGroups.of(List.of("orders", "billing")).outside(groups)).isEqualTo("billing");
    assertThat(NodeGroups.of(List.of("orders*")).outside(groups)).isEqualTo("orders*");
    assertThat(groups.outside(NodeGroups.ALL)).isNull();
    assertThat(NodeGroups.ALL.outside(NodeGroups.ALL)).isNull();
    assertThat(NodeGroups.ALL.outside(groups)).isEqualTo("*");
  }

  @Test
  void bothHaveNoPatternThatAnotherCovers() {
    NodeGroups one = NodeGroups.of(List.of("orders", "billing-eu"));
    NodeGroups other = NodeGroups.of(List.of("billing-*", "orders"));
    assertThat(one.and(other)).isEqualTo(NodeGroups.of(List.of("orders", "billing-*")));
    assertThat(one.and(NodeGroups.ALL)).isEqualTo(NodeGroups.ALL);
    assertThat(NodeGroups.ALL.and(one)).isEqualTo(NodeGroups.ALL);
  }

  @Test
  void thereIsRoomForTwenty() {
    NodeGroups twenty = NodeGroups.of(IntStream.range(0, 20).mapToObj(n -> "g" + n).toList());
    twenty.requireFew();
    NodeGroups more = twenty.and(NodeGroups.of(List.of("one-more")));
    assertThatIllegalArgumentException()
        .isThrownBy(more::requireFew)
        .withMessage("1 to 20 node groups can be named, not 21");
  }
}
