package io.millrace.spring.internal.handler;

import io.millrace.spring.Recurring;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A method that handles jobs.
 *
 * @param handler the name that jobs give
 * @param beanName the bean to call
 * @param method the method as it is written
 * @param invocable the method to call, which belongs to an interface if the bean is a proxy of it
 * @param arguments where the arguments of a call come from
 * @param recurring the declaration of its recurring job, or null
 */
public record HandlerMethod(
    String handler,
    String beanName,
    Method method,
    Method invocable,
    Arguments arguments,
    @Nullable Recurring recurring) {

  /** Returns class and method, for messages. */
  public String where() {
    return where(method);
  }

  /** Returns the names of the parameters that every job must have. */
  public List<String> requiredParameters() {
    return arguments.required();
  }

  static String where(Method method) {
    return method.getDeclaringClass().getName() + "." + method.getName() + "()";
  }
}
