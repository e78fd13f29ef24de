package io.millrace.internal.codec;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.Schedule;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds and caches the form of a type. A type without a form is a programming error. Thread-safe.
 */
final class JsonForms {
  static final JsonForm<Map<String, String>> STRINGS = new StringMapForm();

  /** Records of which each job has one, mostly the default. */
  private static final Set<Class<?>> MOSTLY_EQUAL = Set.of(RetryPolicy.class, MisfirePolicy.class);

  private final Map<Type, JsonForm<?>> known = new ConcurrentHashMap<>();
  private final UnknownNames unknownNames;

  JsonForms(UnknownNames unknownNames) {
    this.unknownNames = unknownNames;
  }

  UnknownNames unknownNames() {
    return unknownNames;
  }

  /** The form of this type. The caller must pass only values of this type. */
  @SuppressWarnings("unchecked")
  JsonForm<Object> of(Type type) {
    JsonForm<?> form = known.get(type);
    if (form == null) {
      form = find(type);
      known.put(type, form);
    }
    return (JsonForm<Object>) form;
  }

  private JsonForm<?> find(Type type) {
    if (type instanceof ParameterizedType generic) {
      return findGeneric(generic);
    }
    Class<?> raw = (Class<?>) type;
    JsonForm<?> scalar = ScalarForms.of(raw);
    if (scalar != null) {
      return scalar;
    }
    if (Schedule.class.isAssignableFrom(raw)) {
      return new ScheduleForm(this);
    }
    if (raw.isEnum()) {
      return enumForm(raw);
    }
    if (raw.isRecord()) {
      RecordForm<?> form = new RecordForm<>(raw, this);
      return MOSTLY_EQUAL.contains(raw) ? new RepeatedForm<>(form) : form;
    }
    throw new IllegalArgumentException("no JSON form for " + type);
  }

  private JsonForm<?> findGeneric(ParameterizedType type) {
    Type[] arguments = type.getActualTypeArguments();
    if (type.getRawType() == List.class) {
      return new ListForm<>(of(arguments[0]));
    }
    if (type.getRawType() == Map.class
        && arguments[0] == String.class
        && arguments[1] == String.class) {
      return STRINGS;
    }
    throw new IllegalArgumentException("no JSON form for " + type);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private JsonForm<?> enumForm(Class<?> type) {
    return new EnumForm(type, unknownNames);
  }
}
