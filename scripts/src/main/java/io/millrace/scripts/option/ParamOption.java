package io.millrace.scripts.option;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for parameters that replace those of a job. */
public final class ParamOption {

  @Option(
      names = "--param",
      paramLabel = "NAME=VALUE",
      description =
          "A parameter for this run; can be repeated. If given, these replace all parameters"
              + " of the job; otherwise the job's parameters are used.")
  private List<Param> params = new ArrayList<>();

  /** Returns the given parameters, or null if there are none. */
  public @Nullable Map<String, String> given() {
    if (params.isEmpty()) {
      return null;
    }
    Map<String, String> given = new LinkedHashMap<>();
    params.forEach(param -> given.put(param.name(), param.value()));
    return given;
  }
}
