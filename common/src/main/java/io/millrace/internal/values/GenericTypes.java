package io.millrace.internal.values;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What generic types stand for. */
final class GenericTypes {
  private GenericTypes() {}

  private record Applied(Class<?> raw, List<Type> arguments) implements ParameterizedType {
    @Override
    public Type[] getActualTypeArguments() {
      return arguments.toArray(Type[]::new);
    }

    @Override
    public Type getRawType() {
      return raw;
    }

    @Override
    public @Nullable Type getOwnerType() {
      return raw.getDeclaringClass();
    }
  }

  /** The class of a type; Object for one that is not known. */
  static Class<?> rawOf(Type type) {
    if (type instanceof Class<?> plain) {
      return plain;
    }
    if (type instanceof ParameterizedType generic) {
      return (Class<?>) generic.getRawType();
    }
    if (type instanceof WildcardType wildcard) {
      return rawOf(wildcard.getUpperBounds()[0]);
    }
    if (type instanceof TypeVariable<?> variable) {
      return rawOf(variable.getBounds()[0]);
    }
    throw new ValueFault(type.getTypeName() + " has no JSON form");
  }

  /** The argument of a generic type at this index; Object for a raw type. */
  static Type argument(Type type, int index) {
    return type instanceof ParameterizedType generic
        ? generic.getActualTypeArguments()[index]
        : Object.class;
  }

  /** The type of a component, with the arguments of its record in place of the variables. */
  static Type within(Type record, Type component) {
    if (component instanceof TypeVariable<?> variable) {
      TypeVariable<?>[] variables = rawOf(record).getTypeParameters();
      int index = Arrays.asList(variables).indexOf(variable);
      return index >= 0 && record instanceof ParameterizedType
          ? argument(record, index)
          : rawOf(variable);
    }
    if (component instanceof WildcardType wildcard) {
      return within(record, wildcard.getUpperBounds()[0]);
    }
    if (component instanceof ParameterizedType generic) {
      return new Applied(
          rawOf(generic),
          Arrays.stream(generic.getActualTypeArguments())
              .map(argument -> within(record, argument))
              .toList());
    }
    return component;
  }
}
