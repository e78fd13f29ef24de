package io.millrace.common.model;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a constant of a record type: its components are what the fields stand for that the sender of
 * such a record leaves out, on the wire as in the builder. A text that is empty in it has no
 * default, so its field must be sent.
 */
@Documented
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
public @interface DefaultWhenMissing {}
