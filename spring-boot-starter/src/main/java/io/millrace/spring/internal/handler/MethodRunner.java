package io.millrace.spring.internal.handler;

import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.Result;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/** Runs jobs by a method of a bean, which is fetched for each of them. Thread-safe. */
public final class MethodRunner implements JobRunner {
  private final BeanFactory beans;
  private final HandlerMethod handler;
  private final Method invocable;

  public MethodRunner(BeanFactory beans, HandlerMethod handler) {
    this.beans = beans;
    this.handler = handler;
    this.invocable = handler.invocable();
    ReflectionUtils.makeAccessible(invocable);
  }

  @Override
  public @Nullable Result run(JobContext context) throws Throwable {
    @Nullable Object[] arguments = handler.arguments().of(context);
    Object bean = beans.getBean(handler.beanName());
    try {
      Object returned = invocable.invoke(bean, arguments);
      if (returned == null || returned instanceof Result) {
        return (Result) returned;
      }
      return Result.of(returned);
    } catch (InvocationTargetException thrown) {
      throw thrown.getTargetException();
    }
  }

  @Override
  public String toString() {
    return handler.where();
  }
}
