package io.millrace.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SecretTest {

  @Test
  void isNotShownByItselfNorByARecordThatHoldsIt() {
    record Holder(Secret token) {}

    assertThat(Secret.of("s3cr3t")).hasToString("***");
    assertThat(new Holder(Secret.of("s3cr3t")).toString()).doesNotContain("s3cr3t");
    assertThat(Secret.of("s3cr3t").reveal()).isEqualTo("s3cr3t");
  }

  @Test
  void equalValuesAreEqual() {
    assertThat(Secret.of("a")).isEqualTo(Secret.of("a")).hasSameHashCodeAs(Secret.of("a"));
    assertThat(Secret.of("a")).isNotEqualTo(Secret.of("b"));
  }

  @Test
  void blankIsNoSecret() {
    assertThatIllegalArgumentException().isThrownBy(() -> Secret.of(" "));
  }
}
