package io.millrace.internal.codec;

import io.millrace.internal.annotation.DefaultWhenMissing;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The canonical constructor and the accessors of a record class. In the place of a {@link
 * Flattened} component stand the components of its record.
 */
final class RecordShape<T> {
  private final Class<T> type;
  private final MethodHandle constructor;
  private final List<RecordComponent> components = new ArrayList<>();
  private final List<MethodHandle> accessors = new ArrayList<>();

  RecordShape(Class<T> type) {
    this.type = type;
    MethodHandle whole;
    try {
      whole = add(type, null);
    } catch (NoSuchMethodException | IllegalAccessException e) {
      throw new IllegalArgumentException("cannot access the record " + type, e);
    }
    this.constructor =
        whole
            .asSpreader(Object[].class, components.size())
            .asType(MethodType.methodType(Object.class, Object[].class));
  }

  /**
   * Adds the components of a record and returns a constructor that takes them.
   *
   * @param path leads to the record from the whole; null for the whole itself
   */
  private MethodHandle add(Class<?> record, @Nullable MethodHandle path)
      throws NoSuchMethodException, IllegalAccessException {
    RecordComponent[] own = record.getRecordComponents();
    MethodHandle maker = constructor(record, own);
    int parameter = 0;
    for (RecordComponent component : own) {
      MethodHandle accessor = accessor(component.getAccessor());
      if (path != null) {
        accessor = MethodHandles.filterReturnValue(path, accessor);
      }
      if (component.isAnnotationPresent(Flattened.class)) {
        int before = components.size();
        maker =
            MethodHandles.collectArguments(maker, parameter, add(component.getType(), accessor));
        parameter += components.size() - before;
      } else {
        components.add(component);
        accessors.add(accessor);
        parameter++;
      }
    }
    return maker;
  }

  private static MethodHandle constructor(Class<?> record, RecordComponent[] components)
      throws NoSuchMethodException, IllegalAccessException {
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Constructor<?> canonical = record.getDeclaredConstructor(types);
    canonical.setAccessible(true);
    return MethodHandles.lookup().unreflectConstructor(canonical);
  }

  private static MethodHandle accessor(Method method) throws IllegalAccessException {
    method.setAccessible(true);
    return MethodHandles.lookup()
        .unreflect(method)
        .asType(MethodType.methodType(Object.class, Object.class));
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

  /** The components that are fields in JSON. */
  List<RecordComponent> components() {
    return components;
  }

  /** The value of the component at this index. */
  @Nullable Object get(T record, int index) {
    try {
      return accessors.get(index).invokeExact((Object) record);
    } catch (Throwable e) {
      throw new IllegalStateException("accessor " + index + " of " + type + " failed", e);
    }
  }

  /**
   * Makes a record of the values of its components.
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
