package io.millrace.api;

import io.millrace.internal.values.ValueFault;
import io.millrace.internal.values.ValueReader;
import io.millrace.internal.values.ValueWriter;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** The mapper of {@link ValueMapper#standard}. Stateless. */
enum StandardValueMapper implements ValueMapper {
  INSTANCE;

  @Override
  public String toJson(@Nullable Object value) {
    if (value == null) {
      throw new ValueException("is null", null);
    }
    try {
      return ValueWriter.write(value);
    } catch (ValueFault fault) {
      throw new ValueException(fault.words(), fault.getCause());
    }
  }

  @Override
  public Object fromJson(String json, Type type) {
    try {
      return ValueReader.read(json, type);
    } catch (ValueFault fault) {
      throw new ValueException(fault.words(), fault.getCause());
    }
  }

  @Override
  public String toString() {
    return "ValueMapper.standard()";
  }
}
