package io.millrace.test.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenPartsTest {
  private final OpenParts parts = new OpenParts();
  private final List<String> closed = new ArrayList<>();

  private void add(String name, boolean fails) {
    parts.add(
        new AutoCloseable() {
          @Override
          public void close() throws IOException {
            closed.add(name);
            if (fails) {
              throw new IOException(name + " is stuck");
            }
          }

          @Override
          public String toString() {
            return name;
          }
        });
  }

  @Test
  void allAreClosedAndTheFirstFailureNamesTheOthers() {
    add("tracker", false);
    add("worker", true);
    add("first client", false);
    add("second client", true);

    assertThatIllegalStateException()
        .isThrownBy(parts::close)
        .withMessage("second client could not be closed")
        .withRootCauseInstanceOf(IOException.class)
        .satisfies(
            failure ->
                assertThat(failure.getSuppressed())
                    .singleElement()
                    .satisfies(other -> assertThat(other).hasMessage("worker is stuck")));
    assertThat(closed).containsExactly("second client", "first client", "worker", "tracker");

    parts.close();
    assertThat(closed).as("each is closed once").hasSize(4);
  }
}
