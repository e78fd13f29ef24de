package io.millrace.spring.internal.value;

import io.millrace.api.ValueException;
import io.millrace.api.ValueMapper;
import java.lang.reflect.Type;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Values by Jackson 3. */
final class Jackson3Values implements ValueMapper {
  private final JsonMapper mapper;

  Jackson3Values(JsonMapper mapper) {
    this.mapper = mapper;
  }

  @Override
  public String toJson(Object value) {
    try {
      return mapper.writeValueAsString(value);
    } catch (JacksonException failure) {
      throw new ValueException(
          value.getClass().getName() + " cannot be written as JSON: " + failure.getMessage(),
          failure);
    }
  }

  @Override
  public Object fromJson(String json, Type type) {
    try {
      Object value = mapper.readValue(json, mapper.constructType(type));
      // A primitive would be 0 or false.
      if (value == null || json.strip().equals("null")) {
        throw new ValueException("null is no " + type.getTypeName(), null);
      }
      return value;
    } catch (JacksonException failure) {
      throw new ValueException(
          "the value is no " + type.getTypeName() + ": " + failure.getMessage(), failure);
    }
  }
}
