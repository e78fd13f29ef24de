package io.millrace.tasktracker.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BoundedTextTest {

  @Test
  void shortTextStaysAsItIs() {
    assertThat(BoundedText.cut("12345", 5)).isEqualTo("12345");
  }

  @Test
  void longTextIsCutAndMarked() {
    assertThat(BoundedText.cut("123456", 5)).isEqualTo("1234…");
  }

  @Test
  void cutNeverSplitsACharacter() {
    assertThat(BoundedText.cut("123😀56", 5)).isEqualTo("123…");
  }

  @Test
  void traceOfACauseThatIsItsOwnCauseEnds() {
    Exception first = new Exception("x".repeat(500));
    Exception second = new Exception("second", first);
    first.initCause(second);

    assertThat(StackTraceText.of(first, 600)).hasSizeLessThanOrEqualTo(600).contains("second");
  }

  @Test
  void traceOfALongChainKeepsTheFirstCauses() {
    Exception chain = new Exception("0");
    for (int i = 1; i < 100; i++) {
      chain = new Exception(i + "x".repeat(300), chain);
    }

    String text = StackTraceText.of(chain, 2_000);

    assertThat(text).hasSizeLessThanOrEqualTo(2_000).startsWith("java.lang.Exception: 99x");
    assertThat(text).contains("Caused by: java.lang.Exception: 98x");
  }
}
