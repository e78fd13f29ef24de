package io.millrace.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test method of the class a {@link TestMillrace} of its own; see {@link
 * MillraceExtension}.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(MillraceExtension.class)
public @interface MillraceTest {

  /**
   * What the clock shows at the start: an instant such as {@code 2026-03-07T22:00:00Z}, or a local
   * time of the zone such as {@code 2026-03-07T17:00}. By default {@link
   * TestMillrace#DEFAULT_START}.
   */
  String startAt() default "";

  /** The zone of cron expressions that name none, of {@link #startAt} and of the clock. */
  String zone() default "UTC";
}
