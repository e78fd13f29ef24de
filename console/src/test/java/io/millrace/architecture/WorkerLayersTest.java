package io.millrace.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.millrace.architecture.PackageUses.API;
import static java.util.Map.entry;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which package of the worker may use which. */
class WorkerLayersTest {
  private static final String ROOT = "io.millrace.tasktracker";

  private static final PackageUses PACKAGES =
      new PackageUses(
          ROOT,
          Map.ofEntries(
              entry("text", Set.of()),
              entry("resources", Set.of()),
              entry("threads", Set.of()),
              entry("delivery", Set.of()),
              entry("metrics", Set.of()),
              entry("pull", Set.of()),
              entry("execute", Set.of("text")),
              entry("keep", Set.of("execute", "text")),
              entry("joblog", Set.of("delivery", "text")),
              entry("report", Set.of("delivery")),
              entry(
                  API,
                  Set.of(
                      "resources",
                      "threads",
                      "metrics",
                      "pull",
                      "execute",
                      "keep",
                      "joblog",
                      "report"))));

  @ParameterizedTest
  @CsvSource({
    "text,     execute.Attempts",
    "resources, pull.PullLoop",
    "threads,  RunnerThreads",
    "delivery, report.Reporter",
    "metrics,  execute.Runners",
    "pull,     execute.Attempts",
    "execute,  joblog.ExecutionLog",
    "execute,  JobRunner",
    "keep,     JobContext",
    "joblog,   JobLogger",
    "report,   pull.PullLoop",
    "'',       delivery.BatchSender"
  })
  void packagesUseOnlyThoseBelow(String user, String tooHigh) {
    PACKAGES.check(user, tooHigh);
  }

  @Test
  void everyPackageHasItsRule() {
    PACKAGES.checkNames();
  }

  @Test
  void threadsAreMadeOnlyForAWorkerThatIsGivenNone() {
    ArchitectureRules.keeps(
        noClasses()
            .that()
            .resideInAPackage(ROOT + "..")
            .and()
            .doNotHaveSimpleName("DefaultWorkerResources")
            .and()
            .doNotHaveSimpleName("VirtualThreads")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(ThreadPoolExecutor.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Executors.class)
            .orShould()
            .callConstructor(Thread.class, Runnable.class),
        inRoot("java.util.concurrent.ThreadPoolExecutor pool;"),
        inRoot("Object pool() { return java.util.concurrent.Executors.newCachedThreadPool(); }"),
        inRoot("Object thread() { return new Thread(() -> {}); }"));
  }

  @Test
  void onlyTheRootKnowsHowConnectionsAreMade() {
    ArchitectureRules.keeps(
        noClasses()
            .that()
            .resideInAnyPackage(
                ROOT + ".internal.pull..",
                ROOT + ".internal.execute..",
                ROOT + ".internal.joblog..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.millrace.internal.rpc.."),
        """
        package io.millrace.tasktracker.internal.pull;
        class Planted { io.millrace.internal.rpc.Session session; }
        """,
        """
        package io.millrace.tasktracker.internal.execute;
        class Planted { io.millrace.internal.rpc.RpcConnector connector; }
        """,
        """
        package io.millrace.tasktracker.internal.joblog;
        class Planted { io.millrace.internal.rpc.Peer peer; }
        """);
  }

  private static String inRoot(String member) {
    return """
    package io.millrace.tasktracker;
    class Planted { %s }
    """
        .formatted(member);
  }
}
