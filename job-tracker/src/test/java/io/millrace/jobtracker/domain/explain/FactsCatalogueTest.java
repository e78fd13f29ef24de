package io.millrace.jobtracker.domain.explain;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.domain.phrase.CatalogueContract;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class FactsCatalogueTest extends CatalogueContract {
  FactsCatalogueTest() {
    super(FactPhrases.class, "facts");
  }

  @Test
  void keyWithoutPhraseIsNamed() {
    assertThatThrownBy(() -> read(Locale.ENGLISH).say("no.such.key"))
        .hasMessageContaining("no.such.key");
  }
}
