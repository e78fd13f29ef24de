package io.millrace.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Makes a method of a bean the handler of jobs. The worker of the application calls it for every
 * job of its node group that names the handler; if it is the only handler, also for the jobs that
 * name none.
 *
 * <pre>{@code
 * @MillraceJob("close-order")
 * Receipt close(String orderId, Optional<Customer> customer, JobContext context) { … }
 * }</pre>
 *
 * <p><b>Parameters.</b> A {@code JobContext} is the context of the attempt, a {@code JobLogger} its
 * log. Every other parameter is the parameter of the job with its name, read as its type. If the
 * job has no such parameter, an {@code Optional} is empty, and a parameter with an annotation of
 * the name {@code Nullable} is null. Otherwise, and if a value does not fit its type, the attempt
 * ends as DEAD and is not retried.
 *
 * <p><b>Result.</b> The returned value is the result of the job, as JSON; with {@code void} or null
 * the job has none. A {@code io.millrace.tasktracker.Result} is used as it is. If the method
 * throws, the job is retried while its retry policy allows it.
 *
 * <p>The method must not be private, and no other method may have the same handler; the application
 * does not start otherwise. Jobs run at the same time, up to the number of slots of the worker. The
 * bean is fetched for each job, so a lazy bean is created by its first job.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
public @interface MillraceJob {

  /** The name of the handler; may contain placeholders such as {@code ${orders.handler}}. */
  String value();
}
