package io.millrace.benchmarks.report;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import com.alibaba.fastjson2.JSONWriter;
import io.millrace.benchmarks.report.Results.Failure;
import io.millrace.benchmarks.report.Results.Measured;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the results as JSON; docs/performance.md describes the format. */
public final class JsonReport {
  private static final double THOUSAND = 1_000;

  private JsonReport() {}

  /**
   * Returns the text of the file.
   *
   * @param setting lines that describe the conditions of the measurement
   */
  public static String of(Results results, List<String> setting) {
    JSONObject report = new JSONObject();
    report.put("setting", setting);
    JSONArray measures = new JSONArray();
    Comparison.of(results).forEach(comparison -> measures.add(measure(comparison)));
    report.put("measures", measures);
    report.put("contenders", contenders(results));
    JSONArray failures = new JSONArray();
    results.failures().forEach(failure -> failures.add(failure(failure)));
    report.put("failures", failures);
    report.put("notes", results.notes());
    return JSON.toJSONString(
        report, JSONWriter.Feature.PrettyFormat, JSONWriter.Feature.WriteNulls);
  }

  private static JSONObject measure(Comparison comparison) {
    JSONObject measure = new JSONObject();
    measure.put("measure", comparison.measure().word());
    measure.put("db", comparison.database());
    measure.put("unit", comparison.measure().unit());
    measure.put("better", comparison.measure().moreIsBetter() ? "higher" : "lower");
    measure.put("contender", comparison.contender());
    measure.put("ours", median(comparison.ours()));
    measure.put("best_peer", median(comparison.bestPeer()));
    measure.put("peer", comparison.peer());
    measure.put("ceiling", median(comparison.ceiling()));
    measure.put("ratio_to_best_peer", rounded(comparison.ratioToBestPeer()));
    measure.put("ratio_to_ceiling", rounded(comparison.ratioToCeiling()));
    measure.put("ratio_to_own_baseline", rounded(comparison.ratioToBaseline()));
    return measure;
  }

  private static JSONArray contenders(Results results) {
    JSONArray all = new JSONArray();
    for (String database : results.databases()) {
      for (Measure measure : Measure.values()) {
        for (Measured contender : results.contenders(database, measure)) {
          List<Double> values = results.values(database, measure, contender);
          Spread spread = results.spread(database, measure, contender).orElseThrow();
          JSONObject one = new JSONObject();
          one.put("measure", measure.word());
          one.put("db", database);
          one.put("contender", contender.name());
          one.put("median", rounded(spread.median()));
          one.put("min", rounded(spread.min()));
          one.put("max", rounded(spread.max()));
          one.put("settled", results.isSettled(database, measure, contender));
          one.put("rounds", values.stream().map(JsonReport::rounded).toList());
          all.add(one);
        }
      }
    }
    return all;
  }

  private static JSONObject failure(Failure failure) {
    JSONObject one = new JSONObject();
    one.put("db", failure.database());
    one.put("what", failure.what());
    one.put("contender", failure.contender());
    one.put("reason", failure.reason());
    return one;
  }

  private static @Nullable Double median(@Nullable Spread spread) {
    return spread == null ? null : rounded(spread.median());
  }

  private static @Nullable Double rounded(@Nullable Double value) {
    return value == null ? null : (Double) (Math.round(value * THOUSAND) / THOUSAND);
  }
}
