package io.millrace.benchmarks.scale;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import com.alibaba.fastjson2.JSONWriter;
import io.millrace.benchmarks.scale.Figures.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Formats what was measured, as a table for people and as JSON. */
final class ScaleReport {
  private static final String NOTHING = "-";
  private static final double HUNDRED = 100;
  private static final double TEN = 10;
  private static final double TENTH = 0.1;

  private ScaleReport() {}

  /** Returns the lines of the table: a column for each size, and how the value grows. */
  static List<String> lines(Figures figures, List<String> setting) {
    List<String> lines = new ArrayList<>(setting);
    figures.series().stream()
        .collect(
            groupingBy(
                series -> series.measurement().title() + " on " + series.database(),
                LinkedHashMap::new,
                toList()))
        .forEach((title, table) -> lines.addAll(table(title, table)));
    if (!figures.failures().isEmpty()) {
      lines.add("");
    }
    figures
        .failures()
        .forEach(
            failure ->
                lines.add(
                    "FAILED on %s: %s: %s"
                        .formatted(
                            failure.database(), failure.measurement().word(), failure.reason())));
    if (!figures.notes().isEmpty()) {
      lines.add("");
      lines.addAll(figures.notes());
    }
    return lines;
  }

  private static List<String> table(String title, List<Series> table) {
    SortedSet<Long> sizes = new TreeSet<>();
    table.forEach(series -> sizes.addAll(series.values().keySet()));
    String each = table.get(0).measurement().each();
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(
        line(
            title,
            "unit",
            sizes.stream().map(size -> String.format(Locale.ROOT, "%,d", size)).toList(),
            each == null ? "ratio" : "per " + each));
    for (Series series : table) {
      Double growth = each == null ? series.ratio() : series.slope();
      lines.add(
          line(
              series.what(),
              series.unit(),
              sizes.stream().map(size -> number(series.values().get(size))).toList(),
              number(growth)));
    }
    return lines;
  }

  private static String line(String what, String unit, List<String> cells, String last) {
    StringBuilder line = new StringBuilder();
    line.append(String.format(Locale.ROOT, "%-58s %-8s", what, unit));
    cells.forEach(cell -> line.append(String.format(Locale.ROOT, " %12s", cell)));
    return line.append(String.format(Locale.ROOT, " %15s", last)).toString().stripTrailing();
  }

  private static String number(@Nullable Double value) {
    if (value == null) {
      return NOTHING;
    }
    double size = Math.abs(value);
    String format =
        size >= HUNDRED ? "%,.0f" : size >= TEN ? "%.1f" : size >= TENTH ? "%.2f" : "%.5f";
    return String.format(Locale.ROOT, format, value);
  }

  /** Returns the text of the file. */
  static String json(Figures figures, List<String> setting) {
    JSONArray measures = new JSONArray();
    for (Series series : figures.series()) {
      JSONArray values = new JSONArray();
      series
          .values()
          .forEach((size, value) -> values.add(JSONObject.of("size", size, "value", value)));
      measures.add(
          JSONObject.of("measure", series.measurement().word(), "db", series.database())
              .fluentPut("what", series.what())
              .fluentPut("unit", series.unit())
              .fluentPut("values", values)
              .fluentPut("slope", series.slope())
              .fluentPut("ratio", series.ratio()));
    }
    JSONArray failures = new JSONArray();
    figures
        .failures()
        .forEach(
            failure ->
                failures.add(
                    JSONObject.of(
                        "measure", failure.measurement().word(),
                        "db", failure.database(),
                        "reason", failure.reason())));
    return JSON.toJSONString(
        JSONObject.of(
            "setting", setting,
            "measures", measures,
            "failures", failures,
            "notes", figures.notes()),
        JSONWriter.Feature.PrettyFormat,
        JSONWriter.Feature.WriteNulls);
  }
}
