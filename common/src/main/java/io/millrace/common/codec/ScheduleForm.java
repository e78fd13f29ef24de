package io.millrace.common.codec;

import com.alibaba.fastjson2.JSONReader;
import com.alibaba.fastjson2.JSONWriter;
import io.millrace.common.model.Schedule;

/** A schedule, written as {@link ScheduleFields}. */
final class ScheduleForm implements JsonForm<Schedule> {
  private final JsonForm<ScheduleFields> fields;

  ScheduleForm(JsonForms forms) {
    fields = new RecordForm<>(ScheduleFields.class, forms);
  }

  @Override
  public void write(JSONWriter writer, Schedule schedule) {
    fields.write(writer, ScheduleFields.of(schedule));
  }

  @Override
  public Schedule read(JSONReader reader) {
    return fields.read(reader).toSchedule();
  }
}
