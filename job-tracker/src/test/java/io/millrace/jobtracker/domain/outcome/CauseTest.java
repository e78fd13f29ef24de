package io.millrace.jobtracker.domain.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CauseTest {
  @Test
  void codesAreStoredInThisForm() {
    assertThat(Cause.of(CauseCode.MISSED).encode()).isEqualTo("MISSED");
    assertThat(Cause.of(CauseCode.PAUSED_BY, "operator/Ann, 50%").encode())
        .isEqualTo("PAUSED_BY operator/Ann%2C%2050%25");
    assertThat(
            Cause.of(CauseCode.TIMED_OUT_SECONDS, 30)
                .and(Cause.of(CauseCode.NOT_ENDED_BY_WORKER))
                .and(null)
                .and(Cause.of(CauseCode.ATTEMPTS_USED_UP))
                .encode())
        .isEqualTo("TIMED_OUT_SECONDS 30, NOT_ENDED_BY_WORKER, ATTEMPTS_USED_UP");
  }

  @ParameterizedTest
  @EnumSource
  void whatIsStoredComesBack(CauseCode code) {
    Object[] arguments = new Object[code.arguments()];
    Arrays.fill(arguments, "a b, MISSED %2C ,");
    Cause cause = Cause.of(code, arguments);

    assertThat(Cause.decode(cause.encode())).isEqualTo(cause);
    Cause last = cause.and(Cause.of(CauseCode.MISSED)).and(cause);
    assertThat(Cause.decode(last.encode())).isEqualTo(last);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "missed",
        "timed out after 5 s, attempts used up",
        "TERMINATED_BY",
        "MISSED twice",
        "MISSED, ATTEMPTS_USED_UP, A_CODE_OF_A_LATER_VERSION",
        "the {0} of ''100 %''"
      })
  void textThatIsNotKnownIsShownUnchanged(String text) {
    Cause cause = Cause.decode(text);

    assertThat(cause.code()).isEqualTo(CauseCode.FREE_TEXT);
    assertThat(CauseWords.english(cause)).isEqualTo(text);
  }

  @Test
  void argumentMayBeCutOff() {
    String text = Cause.of(CauseCode.TERMINATED_BY, "a ".repeat(200)).encode().substring(0, 255);

    assertThat(Cause.decode(text).code()).isEqualTo(CauseCode.TERMINATED_BY);
    assertThat(CauseWords.english(Cause.decode(text))).startsWith("terminated by a a a");
  }

  @Test
  void codeAndArgumentsMustFit() {
    assertThatThrownBy(() -> Cause.of(CauseCode.MISSED, "today"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("MISSED has 0 arguments");
    assertThatThrownBy(() -> Cause.of(CauseCode.PAUSED_BY))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
