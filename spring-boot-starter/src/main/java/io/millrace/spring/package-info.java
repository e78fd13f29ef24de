/**
 * Spring Boot applications as clients and workers of Millrace.
 *
 * <p>{@link io.millrace.spring.MillraceJob} on a method of a bean makes it a handler of jobs;
 * {@link io.millrace.spring.Recurring} beside it also declares a job that runs it. Beans of the
 * types {@code JobClient} and {@code TaskTracker} are there unless the application defines its own.
 * The manual is docs/spring-boot.md.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.spring;
