package io.millrace.internal.values;

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The components of a record class, and how to make and read its instances. Thread-safe. */
final class RecordType {
  /** Keeps no class alive: an application that is loaded again leaves nothing behind. */
  private static final ClassValue<RecordType> KNOWN =
      new ClassValue<>() {
        @Override
        protected RecordType computeValue(Class<?> type) {
          return new RecordType(type);
        }
      };

  private final Class<?> type;
  private final Constructor<?> constructor;
  private final List<Component> components = new ArrayList<>();

  /**
   * A component.
   *
   * @param mayBeMissing whether it is null or an empty Optional where the JSON has no field
   */
  record Component(String name, Type type, Method accessor, boolean mayBeMissing) {
    boolean isOptional() {
      return GenericTypes.rawOf(type) == Optional.class;
    }
  }

  /**
   * Returns the form of a record class.
   *
   * @throws ValueFault if a component has a type without a JSON form
   */
  static RecordType of(Class<?> type) {
    return KNOWN.get(type);
  }

  private RecordType(Class<?> type) {
    this.type = type;
    RecordComponent[] declared = type.getRecordComponents();
    try {
      constructor =
          type.getDeclaredConstructor(
              Arrays.stream(declared).map(RecordComponent::getType).toArray(Class<?>[]::new));
      constructor.setAccessible(true);
      for (RecordComponent component : declared) {
        requireForm(component);
        component.getAccessor().setAccessible(true);
        components.add(
            new Component(
                component.getName(),
                component.getGenericType(),
                component.getAccessor(),
                component.getType() == Optional.class || isNullable(component)));
      }
    } catch (NoSuchMethodException | InaccessibleObjectException e) {
      throw new ValueFault(
          "the record %s cannot be accessed; its package must be open: %s"
              .formatted(type.getName(), e.getMessage()),
          e);
    }
  }

  /** Found once for each class, so that a job is rejected where it is made and not at a worker. */
  private static void requireForm(RecordComponent component) {
    try {
      Types.requireForm(component.getGenericType(), true);
    } catch (ValueFault fault) {
      throw fault.inside(component.getName());
    }
  }

  /** Any annotation of this name will do, on the type, the component or the accessor. */
  private static boolean isNullable(RecordComponent component) {
    return !component.getType().isPrimitive()
        && Stream.of(
                component.getAnnotatedType().getAnnotations(),
                component.getAnnotations(),
                component.getAccessor().getAnnotations())
            .flatMap(Arrays::stream)
            .map(Annotation::annotationType)
            .anyMatch(annotation -> annotation.getSimpleName().equals("Nullable"));
  }

  List<Component> components() {
    return components;
  }

  @Nullable Object get(Object record, Component component) {
    try {
      return component.accessor().invoke(record);
    } catch (IllegalAccessException e) {
      throw new ValueFault("cannot be read: " + e.getMessage(), e);
    } catch (InvocationTargetException e) {
      throw thrown("cannot be read: ", e);
    }
  }

  /**
   * Makes a record.
   *
   * @throws ValueFault if its constructor rejects the values
   */
  Object create(@Nullable Object[] values) {
    try {
      return constructor.newInstance(values);
    } catch (InstantiationException | IllegalAccessException e) {
      throw new ValueFault(type.getName() + " cannot be made: " + e.getMessage(), e);
    } catch (InvocationTargetException e) {
      throw thrown(type.getSimpleName() + " refuses it: ", e);
    }
  }

  private static ValueFault thrown(String what, InvocationTargetException e) {
    Throwable cause = e.getCause();
    if (cause instanceof Error error) {
      throw error;
    }
    return new ValueFault(what + cause, cause);
  }
}
