package io.millrace.jobtracker.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitingTableNameTest {
  private static final Map<Character, Character> SYMBOLS = Map.of('0', '.', '1', '-', '_', '_');

  @Provide
  Arbitrary<String> nodeGroups() {
    return nodeGroupsOf("abzABZ0129._-");
  }

  /** So few characters that names which might collide come up often. */
  @Provide
  Arbitrary<String> similarNodeGroups() {
    return nodeGroupsOf("aA2_.");
  }

  private static Arbitrary<String> nodeGroupsOf(String characters) {
    Arbitrary<String> first = Arbitraries.of("a", "A", "0", "2");
    Arbitrary<String> rest =
        Arbitraries.strings().withChars(characters.toCharArray()).ofMaxLength(63);
    return Combinators.combine(first, rest).as(String::concat);
  }

  @Property
  void isAnIdentifierOnEveryDatabase(@ForAll("nodeGroups") String nodeGroup) {
    assertThat(tableOf(nodeGroup)).matches("jt_waiting_[a-z0-9_]{1,53}");
  }

  @Property
  void tellsItsNodeGroupUnlessThatIsTooLong(@ForAll("nodeGroups") String nodeGroup) {
    String table = tableOf(nodeGroup);
    Assume.that(!table.startsWith("jt_waiting__2"));

    assertThat(decoded(table.substring("jt_waiting_".length()))).isEqualTo(nodeGroup);
    assertThat(WaitingTableName.nodeGroupOf(table)).contains(nodeGroup);
  }

  @Property
  void differsBetweenNodeGroupsWhateverTheCase(
      @ForAll("similarNodeGroups") String one, @ForAll("similarNodeGroups") String other) {
    Assume.that(!one.equals(other));

    assertThat(tableOf(one).toUpperCase(Locale.ROOT))
        .isNotEqualTo(tableOf(other).toUpperCase(Locale.ROOT));
  }

  @Test
  void readsLikeTheNodeGroup() {
    assertThat(tableOf("orders")).isEqualTo("jt_waiting_orders");
    assertThat(tableOf("Orders.EU-west_1")).isEqualTo("jt_waiting__orders_0_e_u_1west__1");
  }

  /** Renaming tables that exist would lose what waits in them. */
  @Test
  void staysTheSameForNamesThatAreTooLong() {
    assertThat(tableOf("a".repeat(53))).isEqualTo("jt_waiting_" + "a".repeat(53));
    assertThat(tableOf("a".repeat(54))).isEqualTo("jt_waiting__253u0dmie95c4jlgam8lqfr8uho");
    assertThat(tableOf("A".repeat(27))).startsWith("jt_waiting__2").hasSize(39);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "_a", ".a", "-a", "a b", "a;b", "a`b", "ä", "a\n", "İ"})
  void refusesNamesThatNoNodeGroupMayHave(String nodeGroup) {
    assertThatThrownBy(() -> WaitingTableName.of(nodeGroup))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + nodeGroup + "'");
  }

  @Test
  void refusesMoreThan64Characters() {
    assertThat(tableOf("a".repeat(64))).hasSizeLessThanOrEqualTo(64);
    assertThatThrownBy(() -> WaitingTableName.of("a".repeat(65)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static String tableOf(String nodeGroup) {
    return WaitingTableName.of(nodeGroup).toString();
  }

  private static String decoded(String escaped) {
    StringBuilder nodeGroup = new StringBuilder();
    for (int i = 0; i < escaped.length(); i++) {
      char c = escaped.charAt(i);
      if (c == '_') {
        char code = escaped.charAt(++i);
        c = SYMBOLS.getOrDefault(code, Character.toUpperCase(code));
      }
      nodeGroup.append(c);
    }
    return nodeGroup.toString();
  }
}
