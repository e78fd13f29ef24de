package io.millrace.scripts.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Outcome;
import io.millrace.tasktracker.Result;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DemoRunnersTest {

  @Test
  void echoSaysItsParametersInOrder() {
    Result result = DemoRunners.echo(context(Map.of("b", "2", "a", "1"), 1));

    assertThat(result.outcome()).isEqualTo(Outcome.SUCCESS);
    assertThat(result.message()).isEqualTo("{a=1, b=2}");
  }

  @Test
  void sleepTakesAsLongAsItIsTold() throws Exception {
    assertThat(DemoRunners.sleep(context(Map.of("for", "2ms"), 1)).message())
        .isEqualTo("slept for 2 ms");
  }

  @Test
  void sleepNamesALengthItCannotRead() {
    assertThatThrownBy(() -> DemoRunners.sleep(context(Map.of("for", "soon"), 1)))
        .hasMessageContaining("parameter for")
        .hasMessageContaining("'soon'");
  }

  @Test
  void failFailsAsOftenAsItIsToldAndThenSucceeds() {
    Map<String, String> twice = Map.of("times", "2");

    assertThatThrownBy(() -> DemoRunners.fail(context(twice, 2)))
        .isInstanceOf(DemoRunners.DemoFailureException.class);
    assertThat(DemoRunners.fail(context(twice, 3)).outcome()).isEqualTo(Outcome.SUCCESS);
  }

  @Test
  void failSaysWhatItIsTold() {
    Map<String, String> params = Map.of("message", "no such table: invoices_2019");

    assertThatThrownBy(() -> DemoRunners.fail(context(params, 1)))
        .isInstanceOf(DemoRunners.DemoFailureException.class)
        .hasMessage("no such table: invoices_2019");
  }

  @Test
  void failFailsAlwaysUnlessItIsTold() {
    assertThatThrownBy(() -> DemoRunners.fail(context(Map.of(), 1_000)))
        .isInstanceOf(DemoRunners.DemoFailureException.class);
  }

  private static FakeJobContext context(Map<String, String> params, int attempt) {
    return new FakeJobContext(params, attempt);
  }
}
