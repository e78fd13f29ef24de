package io.millrace.test;

import io.millrace.api.ValueMapper;
import io.millrace.internal.protocol.StagedPart;
import io.millrace.tasktracker.internal.keep.PartForm;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parts that a {@link TestJobContext} has made, by the rules of a worker. Thread-safe. */
final class TestParts {
  private final String attempt;
  private final ValueMapper values;
  private final List<MappedPart> mapped = new ArrayList<>();

  TestParts(String attempt, ValueMapper values) {
    this.attempt = attempt;
    this.values = values;
  }

  synchronized void map(@Nullable String handler, Collection<? extends Map<String, ?>> parts) {
    PartForm form = new PartForm(attempt, handler, values);
    for (Map<String, ?> params : parts) {
      StagedPart part = form.of(mapped.size() + 1, params);
      mapped.add(new MappedPart(part.handler(), part.params()));
    }
  }

  synchronized List<MappedPart> mapped() {
    return List.copyOf(mapped);
  }
}
