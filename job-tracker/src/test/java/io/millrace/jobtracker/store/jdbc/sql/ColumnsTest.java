package io.millrace.jobtracker.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ColumnsTest {

  @Property
  void boundedTextIsTheLongestBeginningThatFitsWithoutHalfACharacter(
      @ForAll String text, @ForAll @IntRange(min = 1, max = 20) int max) {
    String bounded = Columns.bounded(text, max);

    assertThat(text).startsWith(bounded);
    assertThat(bounded.length()).isLessThanOrEqualTo(max);
    assertThat(bounded.length()).isGreaterThanOrEqualTo(Math.min(text.length(), max - 1));
  }

  @Test
  void boundedTextNeverEndsInHalfACharacter() {
    assertThat(Columns.bounded("ab🌾", 3)).isEqualTo("ab");
    assertThat(Columns.bounded("ab🌾", 4)).isEqualTo("ab🌾");
    assertThat(Columns.bounded(null, 4)).isNull();
  }
}
