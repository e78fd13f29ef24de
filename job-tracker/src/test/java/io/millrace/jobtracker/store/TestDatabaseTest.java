package io.millrace.jobtracker.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;

class TestDatabaseTest {

  @ParameterizedTest
  @EveryDatabase
  void eachDatabaseIsEmptyAndItsOwn(TestDatabase.Kind kind) {
    try (TestDatabase one = kind.open();
        TestDatabase two = kind.open()) {
      one.stores().nodeGroups().ensure("orders", 10);

      assertThat(one.count("jt_node_group")).isEqualTo(1);
      assertThat(two.count("jt_node_group")).isZero();
    }
  }
}
