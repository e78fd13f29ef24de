package io.millrace.jobtracker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoresTest {

  @Test
  void eachComponentIsReplacedByItsType() throws ReflectiveOperationException {
    try (TestDatabase database = TestDatabase.h2()) {
      Stores stores = database.stores();
      for (RecordComponent component : Stores.class.getRecordComponents()) {
        List<Object> replaced = new ArrayList<>();
        Stores copy =
            stores.with(
                component.getType(),
                real -> {
                  replaced.add(real);
                  return real;
                });

        assertThat(replaced)
            .as(component.getName())
            .containsExactly(component.getAccessor().invoke(stores));
        assertThat(copy).isEqualTo(stores);
      }
    }
  }

  @Test
  void typeOfNoComponentIsRefused() {
    try (TestDatabase database = TestDatabase.h2()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> database.stores().with(String.class, real -> real))
          .withMessage("no component is a java.lang.String");
    }
  }
}
