package io.millrace.api;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * A type that a class alone cannot express, such as a list of records: {@code new
 * ValueType<List<Order>>() {}}. Immutable.
 *
 * @param <T> the type
 */
public abstract class ValueType<T> {
  private final Type type;

  /**
   * Takes the type from the class that extends this one.
   *
   * @throws IllegalArgumentException if that class names no type
   */
  protected ValueType() {
    if (!(getClass().getGenericSuperclass() instanceof ParameterizedType generic)
        || generic.getRawType() != ValueType.class) {
      throw new IllegalArgumentException(
          "a ValueType names its type: new ValueType<List<Order>>() {}");
    }
    this.type = generic.getActualTypeArguments()[0];
  }

  private ValueType(Type type) {
    this.type = type;
  }

  /** Returns the type of a class. */
  public static <T> ValueType<T> of(Class<T> type) {
    return new Known<>(type);
  }

  /** Returns a type that reflection has found, such as that of a method's parameter. */
  public static ValueType<Object> of(Type type) {
    return new Known<>(type);
  }

  /** Returns the type for a {@link ValueMapper}. */
  public final Type type() {
    return type;
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof ValueType<?> that && type.equals(that.type);
  }

  @Override
  public final int hashCode() {
    return type.hashCode();
  }

  @Override
  public final String toString() {
    return type.getTypeName();
  }

  private static final class Known<T> extends ValueType<T> {
    private Known(Type type) {
      super(type);
    }
  }
}
