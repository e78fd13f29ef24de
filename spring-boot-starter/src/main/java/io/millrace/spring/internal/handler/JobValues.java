package io.millrace.spring.internal.handler;

import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import java.lang.reflect.Type;

final class JobValues {
  private JobValues() {}

  static Object param(JobContext context, String name, Type type) {
    String text = context.param(name);
    if (text == null) {
      throw new io.millrace.api.ValueException("parameter " + name + " is missing", null);
    }
    return type == String.class ? text : type == int.class ? Integer.valueOf(text) : text;
  }

  static Result result(Object value) {
    return Result.success(value.toString());
  }
}
