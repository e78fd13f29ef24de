package io.millrace.internal.values;

import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which types have a JSON form. */
final class Types {
  private Types() {}

  /**
   * Checks a declared type and its arguments, but not the components of records in it.
   *
   * @param ofComponent whether it is a component of a record, which may be an Optional
   * @throws ValueFault if it has no form
   */
  static void requireForm(Type type, boolean ofComponent) {
    if (type instanceof TypeVariable<?>) {
      return;
    }
    if (type instanceof WildcardType wildcard) {
      requireForm(wildcard.getUpperBounds()[0], false);
      return;
    }
    Class<?> raw = GenericTypes.rawOf(type);
    if (raw == Map.class) {
      requireStringKeys(type);
      requireForm(GenericTypes.argument(type, 1), false);
    } else if (isCollection(raw) || (ofComponent && raw == Optional.class)) {
      requireForm(GenericTypes.argument(type, 0), false);
    } else if (!isSingle(raw)) {
      throw without(raw);
    }
  }

  static boolean isCollection(Class<?> raw) {
    return raw == List.class || raw == Set.class || raw == Collection.class;
  }

  static void requireStringKeys(Type map) {
    Class<?> key = GenericTypes.rawOf(GenericTypes.argument(map, 0));
    if (key != String.class && key != Object.class) {
      throw new ValueFault("the keys of a map must be String and not " + key.getName());
    }
  }

  private static boolean isSingle(Class<?> raw) {
    return raw == Object.class || raw.isEnum() || raw.isRecord() || Scalars.of(raw) != null;
  }

  static ValueFault without(Class<?> type) {
    return new ValueFault(
        type.getName() + " has no JSON form: use a record, or set a ValueMapper of your own");
  }
}
