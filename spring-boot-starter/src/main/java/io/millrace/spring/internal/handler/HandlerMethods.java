package io.millrace.spring.internal.handler;

import io.millrace.spring.MillraceJob;
import io.millrace.spring.Recurring;
import io.millrace.spring.internal.config.MillraceStartException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Finds the methods with {@link MillraceJob}, by the types of the beans: no bean is created for it.
 * It looks when all singletons exist, when the types of most beans are exact, or before if the
 * worker is asked for earlier. Thread-safe.
 */
public final class HandlerMethods implements SmartInitializingSingleton {
  private final ConfigurableListableBeanFactory beans;
  private @Nullable Map<String, HandlerMethod> found;

  public HandlerMethods(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  /**
   * Returns the methods by the names of their handlers.
   *
   * @throws MillraceStartException if a method cannot be a handler
   */
  public synchronized Map<String, HandlerMethod> all() {
    if (found == null) {
      found = find();
    }
    return found;
  }

  @Override
  public synchronized void afterSingletonsInstantiated() {
    Map<String, HandlerMethod> before = found;
    found = find();
    if (before == null) {
      return;
    }
    found.forEach(
        (handler, method) -> {
          if (!before.containsKey(handler)) {
            throw new MillraceStartException(
                "The worker was created before the handler '%s' was found: the declared type of the bean '%s' does not show %s."
                    .formatted(handler, method.beanName(), method.where()),
                "Declare the bean with its own class as type, or inject the TaskTracker lazily.");
          }
        });
  }

  private Map<String, HandlerMethod> find() {
    Map<String, HandlerMethod> methods = new LinkedHashMap<>();
    for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
      if (!ScopedProxyUtils.isScopedTarget(name)) {
        Class<?> type = typeOf(name);
        if (type != null && AnnotationUtils.isCandidateClass(type, MillraceJob.class)) {
          findIn(name, type, methods);
        }
      }
    }
    return Map.copyOf(methods);
  }

  /** Returns the class that was written for a bean; null if only its creation would tell. */
  private @Nullable Class<?> typeOf(String name) {
    if (beans.containsBeanDefinition(name)
        && beans
                .getMergedBeanDefinition(name)
                .getAttribute(AutoProxyUtils.ORIGINAL_TARGET_CLASS_ATTRIBUTE)
            instanceof Class<?> target) {
      return target;
    }
    Class<?> type = beans.getType(name, false);
    if (type != null && ScopedObject.class.isAssignableFrom(type)) {
      type = beans.getType(ScopedProxyUtils.getTargetBeanName(name), false);
    }
    return type == null ? null : ClassUtils.getUserClass(type);
  }

  private void findIn(String bean, Class<?> type, Map<String, HandlerMethod> methods) {
    Map<Method, MillraceJob> annotated =
        MethodIntrospector.selectMethods(
            type,
            (MethodIntrospector.MetadataLookup<MillraceJob>)
                method -> AnnotatedElementUtils.findMergedAnnotation(method, MillraceJob.class));
    annotated.forEach(
        (method, job) -> {
          HandlerMethod handler = handler(bean, method, job);
          HandlerMethod other = methods.putIfAbsent(handler.handler(), handler);
          if (other != null) {
            throw twice(other, handler);
          }
        });
    requireJobBesideRecurring(type, annotated);
  }

  private static void requireJobBesideRecurring(Class<?> type, Map<Method, MillraceJob> annotated) {
    MethodIntrospector.selectMethods(
            type,
            (MethodIntrospector.MetadataLookup<Recurring>)
                method -> AnnotatedElementUtils.findMergedAnnotation(method, Recurring.class))
        .keySet()
        .forEach(
            method -> {
              if (!annotated.containsKey(method)) {
                throw new MillraceStartException(
                    HandlerMethod.where(method) + " has @Recurring but not @MillraceJob.",
                    "Add @MillraceJob(\"…\") with the name of the handler.");
              }
            });
  }

  private static MillraceStartException twice(HandlerMethod one, HandlerMethod other) {
    return new MillraceStartException(
        "Two methods have @MillraceJob(\"%s\"): %s of the bean '%s' and %s of the bean '%s'."
            .formatted(one.handler(), one.where(), one.beanName(), other.where(), other.beanName()),
        "Give one of them another name: a job runs the one method that has its handler.");
  }

  private HandlerMethod handler(String bean, Method method, MillraceJob job) {
    String handler = String.valueOf(beans.resolveEmbeddedValue(job.value())).strip();
    String where = HandlerMethod.where(method);
    if (handler.isEmpty()) {
      throw new MillraceStartException(
          where + " has @MillraceJob with an empty name.",
          "Give the name that jobs name as their handler, such as @MillraceJob(\"close-order\").");
    }
    if (Modifier.isPrivate(method.getModifiers())) {
      throw new MillraceStartException(
          where + " has @MillraceJob(\"" + handler + "\") and is private.",
          "Make the method public: a private one would be called past the proxy of its bean.");
    }
    if (CompletionStage.class.isAssignableFrom(method.getReturnType())
        || Future.class.isAssignableFrom(method.getReturnType())) {
      throw new MillraceStartException(
          where + " returns a " + method.getReturnType().getSimpleName() + ".",
          "Wait in the method and return the value itself: a job ends when its method returns.");
    }
    Recurring recurring = AnnotatedElementUtils.findMergedAnnotation(method, Recurring.class);
    return new HandlerMethod(
        handler, bean, method, invocable(bean, method), Arguments.of(method), recurring);
  }

  private Method invocable(String bean, Method method) {
    Class<?> type = beans.getType(bean, false);
    try {
      return type == null ? method : AopUtils.selectInvocableMethod(method, type);
    } catch (IllegalStateException hidden) {
      throw new MillraceStartException(
          "%s cannot be called: the bean '%s' is a proxy that does not have it."
              .formatted(HandlerMethod.where(method), bean),
          "Declare the method in an interface of the bean, or let Spring proxy the class with"
              + " spring.aop.proxy-target-class=true.",
          hidden);
    }
  }
}
