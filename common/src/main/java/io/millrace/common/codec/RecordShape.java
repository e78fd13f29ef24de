package io.millrace.common.codec;

import io.millrace.common.model.DefaultWhenMissing;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The canonical constructor and the accessors of a record class. */
final class RecordShape<T> {
  private final Class<T> type;
  private final MethodHandle constructor;
  private final List<MethodHandle> accessors;

  RecordShape(Class<T> type) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    this.type = type;
    try {
      this.constructor = constructor(type.getDeclaredConstructor(types));
      this.accessors =
          Arrays.stream(components).map(RecordComponent::getAccessor).map(this::accessor).toList();
    } catch (NoSuchMethodException | IllegalAccessException e) {
      throw new IllegalArgumentException("cannot access the record " + type, e);
    }
  }

  private static MethodHandle constructor(Constructor<?> canonical) throws IllegalAccessException {
    canonical.setAccessible(true);
    return MethodHandles.lookup()
        .unreflectConstructor(canonical)
        .asSpreader(Object[].class, canonical.getParameterCount())
        .asType(MethodType.methodType(Object.class, Object[].class));
  }

  private MethodHandle accessor(Method method) {
    method.setAccessible(true);
    try {
      return MethodHandles.lookup()
          .unreflect(method)
          .asType(MethodType.methodType(Object.class, Object.class));
    } catch (IllegalAccessException e) {
      throw new IllegalArgumentException("cannot access the record " + type, e);
    }
  }

  /** The constant with the defaults of missing fields; null if the type has none. */
  static @Nullable Object defaultsOf(Class<?> type) {
    for (Field field : type.getDeclaredFields()) {
      if (field.isAnnotationPresent(DefaultWhenMissing.class)) {
        try {
          field.setAccessible(true);
          return field.get(null);
        } catch (IllegalAccessException e) {
          throw new IllegalArgumentException("cannot access the constant " + field, e);
        }
      }
    }
    return null;
  }

  /** The component at this index. */
  @Nullable Object get(T record, int index) {
    try {
      return accessors.get(index).invokeExact((Object) record);
    } catch (Throwable e) {
      throw new IllegalStateException("accessor " + index + " of " + type + " failed", e);
    }
  }

  /**
   * Makes a record.
   *
   * @throws InvalidValueException if the constructor rejects the values
   */
  T create(@Nullable Object[] values) {
    try {
      return type.cast((Object) constructor.invokeExact(values));
    } catch (IllegalArgumentException | NullPointerException e) {
      throw new InvalidValueException("is invalid: " + e.getMessage());
    } catch (Throwable e) {
      throw new IllegalStateException("constructor of " + type + " failed", e);
    }
  }
}
