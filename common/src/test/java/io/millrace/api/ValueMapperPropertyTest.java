package io.millrace.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.values.JsonText;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

class ValueMapperPropertyTest {
  private static final ValueMapper MAPPER = ValueMapper.standard();

  enum Kind {
    ONE,
    TWO
  }

  record Leaf(String text, double number, @Nullable Kind kind) {}

  record Tree(
      long id, List<Leaf> leaves, Map<String, BigDecimal> prices, Optional<Instant> at, char c) {}

  @Provide
  Arbitrary<Tree> trees() {
    Arbitrary<Leaf> leaves =
        Combinators.combine(
                Arbitraries.strings().all().ofMaxLength(20),
                Arbitraries.doubles().ofScale(6),
                Arbitraries.of(Kind.class).injectNull(0.3))
            .as(Leaf::new);
    return Combinators.combine(
            Arbitraries.longs(),
            leaves.list().ofMaxSize(5),
            Arbitraries.maps(Arbitraries.strings().all().ofMaxLength(5), prices()).ofMaxSize(4),
            Arbitraries.longs()
                .between(-4_000_000_000_000L, 4_000_000_000_000L)
                .map(Instant::ofEpochMilli)
                .optional(),
            Arbitraries.chars().all())
        .as(Tree::new);
  }

  private static Arbitrary<BigDecimal> prices() {
    BigDecimal most = BigDecimal.TEN.pow(60);
    return Arbitraries.bigDecimals().between(most.negate(), most).ofScale(9);
  }

  @Property
  void everyValueComesBackAndItsJsonIsJson(@ForAll("trees") Tree tree) {
    String json = MAPPER.toJson(tree);

    assertThat(MAPPER.fromJson(json, Tree.class)).isEqualTo(tree);
    assertThat(JsonText.faultOf(json)).isNull();
    assertThat(new String(json.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
        .as("survives UTF-8")
        .isEqualTo(json);
  }

  /** Damaged JSON is read as another value or refused; nothing else happens. */
  @Property
  void damagedJsonIsRefusedAtMost(
      @ForAll("trees") Tree tree, @ForAll @IntRange(max = 10_000) int place, @ForAll char with) {
    String json = MAPPER.toJson(tree);
    int at = place % json.length();
    String damaged = json.substring(0, at) + with + json.substring(at + 1);
    try {
      assertThat(MAPPER.fromJson(damaged, Tree.class)).isInstanceOf(Tree.class);
    } catch (ValueException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }
}
