package io.millrace.jobtracker.store.jdbc.h2;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class H2DialectTest {
  private final H2Dialect dialect = new H2Dialect();

  @Test
  void oneQueryLooksAllTaskIdsUp() {
    List<Object> lists = dialect.inLists(List.of("a", "b", "a"));

    assertThat(lists).hasSize(1);
    assertThat((Object[]) lists.get(0)).containsExactly("a", "b");
  }

  @Test
  void noTaskIdNeedsNoQuery() {
    assertThat(dialect.inLists(List.of())).isEmpty();
  }
}
