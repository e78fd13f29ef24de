package io.millrace.spring.internal.handler;

import io.millrace.api.ValueType;
import io.millrace.spring.internal.config.MillraceStartException;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.JobLogger;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.ParameterNameDiscoverer;

/** The arguments with which a method is called, from the context of an attempt. Immutable. */
final class Arguments {
  private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

  private final List<Argument> arguments;

  private Arguments(List<Argument> arguments) {
    this.arguments = arguments;
  }

  /** Where one argument comes from. */
  private interface Argument {
    @Nullable Object of(JobContext context);

    /** The name of a parameter that every job must have; null if there is none. */
    default @Nullable String required() {
      return null;
    }
  }

  /**
   * Returns the arguments of a method.
   *
   * @throws MillraceStartException if the names of its parameters are unknown
   */
  static Arguments of(Method method) {
    Parameter[] parameters = method.getParameters();
    List<Argument> arguments = new ArrayList<>();
    @Nullable String @Nullable [] names = null;
    for (int i = 0; i < parameters.length; i++) {
      Class<?> type = parameters[i].getType();
      if (type == JobContext.class) {
        arguments.add(context -> context);
      } else if (type == JobLogger.class) {
        arguments.add(JobContext::logger);
      } else {
        names = names == null ? NAMES.getParameterNames(method) : names;
        String name = names == null ? null : names[i];
        if (name == null) {
          throw withoutNames(method);
        }
        arguments.add(named(name, new MethodParameter(method, i), parameters[i]));
      }
    }
    return new Arguments(List.copyOf(arguments));
  }

  private static MillraceStartException withoutNames(Method method) {
    return new MillraceStartException(
        "The names of the parameters of "
            + HandlerMethod.where(method)
            + " are not in its class file, so the parameters of jobs cannot be found by name.",
        "Compile with the option -parameters, as the Maven and Gradle plugins of Spring Boot do, or"
            + " let the method take only a JobContext.");
  }

  private static Argument named(String name, MethodParameter parameter, Parameter declared) {
    Type type = declared.getParameterizedType();
    if (declared.getType() == Optional.class) {
      ValueType<Object> value =
          ValueType.of(
              type instanceof ParameterizedType generic
                  ? generic.getActualTypeArguments()[0]
                  : String.class);
      return context -> context.optionalParam(name, value);
    }
    ValueType<Object> value = ValueType.of(type);
    if (parameter.isOptional() || isNullable(declared)) {
      return context -> context.optionalParam(name, value).orElse(null);
    }
    return new Argument() {
      @Override
      public Object of(JobContext context) {
        return context.param(name, value);
      }

      @Override
      public String required() {
        return name;
      }
    };
  }

  private static boolean isNullable(Parameter parameter) {
    return Stream.of(parameter.getAnnotations(), parameter.getAnnotatedType().getAnnotations())
        .flatMap(Stream::of)
        .map(Annotation::annotationType)
        .anyMatch(type -> type.getSimpleName().equals("Nullable"));
  }

  /** Returns the names of the parameters that every job must have. */
  List<String> required() {
    return arguments.stream().flatMap(argument -> Stream.ofNullable(argument.required())).toList();
  }

  /** Returns the arguments of one call. */
  @Nullable Object[] of(JobContext context) {
    @Nullable Object[] values = new Object[arguments.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = arguments.get(i).of(context);
    }
    return values;
  }
}
