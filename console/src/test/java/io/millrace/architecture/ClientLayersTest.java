package io.millrace.architecture;

import static io.millrace.architecture.PackageUses.API;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which package of the client may use which. */
class ClientLayersTest {
  private static final PackageUses PACKAGES =
      new PackageUses(
          "io.millrace.jobclient",
          Map.of(
              "request",
              Set.of(),
              "resources",
              Set.of(),
              "results",
              Set.of(),
              "outbox",
              Set.of("request", "resources"),
              "submit",
              Set.of("request", "outbox"),
              "calls",
              Set.of("request", "outbox", "submit"),
              "relay",
              Set.of("request", "submit"),
              "metrics",
              Set.of("request", "outbox", "submit", "relay"),
              "wiring",
              Set.of("request", "resources", "results", "outbox", "submit", "calls", "metrics"),
              API,
              Set.of(
                  "request",
                  "resources",
                  "results",
                  "outbox",
                  "submit",
                  "calls",
                  "relay",
                  "metrics",
                  "wiring")));

  @ParameterizedTest
  @CsvSource({
    "request,   submit.SubmitPipeline",
    "resources, request.JobKey",
    "results,   JobClient",
    "outbox,    submit.SubmitPipeline",
    "submit,    JobSubmitException",
    "calls,     JobCallException",
    "relay,     calls.JobCalls",
    "metrics,   calls.JobCalls",
    "wiring,    JobClientBuilder"
  })
  void packagesUseOnlyThoseBelow(String user, String tooHigh) {
    PACKAGES.check(user, tooHigh);
  }

  @Test
  void everyPackageHasItsRule() {
    PACKAGES.checkNames();
  }
}
