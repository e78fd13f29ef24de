package io.millrace.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who may know whom: modules, services, layers. */
class LayersTest {
  private static final String TRACKER = "io.millrace.jobtracker";
  private static final String CONSOLE = "io.millrace.console";
  private static final String CLIENT = "io.millrace.jobclient";
  private static final String WORKER = "io.millrace.tasktracker";

  /** What does a tracker's work; each knows what is below, and no other of these. */
  private static final String[] SERVICES = {
    "submit",
    "group",
    "complete",
    "cluster",
    "joblog",
    "kept",
    "parts",
    "explain",
    "status",
    "purge",
    "fleet",
    "request"
  };

  /** What serves one node group; {@code group} itself puts it together. */
  private static final String[] OF_A_GROUP = {
    "generate", "preload", "pull", "recover", "reconcile"
  };

  @Test
  void modulesKnowCommonOnly() {
    ArchitectureRules.keeps(
        noClasses()
            .that()
            .resideInAnyPackage("io.millrace.api..", "io.millrace.internal..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "io.millrace.jobclient..",
                "io.millrace.tasktracker..",
                "io.millrace.jobtracker..",
                "io.millrace.console.."),
        """
        package io.millrace.internal.model;
        class Planted { io.millrace.jobtracker.JobTracker tracker; }
        """);
    ArchitectureRules.keeps(
        noClasses()
            .that()
            .resideInAPackage("io.millrace.jobclient..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "io.millrace.tasktracker..", "io.millrace.jobtracker..", "io.millrace.console.."),
        """
        package io.millrace.jobclient;
        class Planted { io.millrace.tasktracker.TaskTracker worker; }
        """,
        """
        package io.millrace.jobclient;
        class Planted { io.millrace.jobtracker.JobTracker tracker; }
        """);
    ArchitectureRules.keeps(
        noClasses()
            .that()
            .resideInAPackage("io.millrace.tasktracker..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "io.millrace.jobclient..", "io.millrace.jobtracker..", "io.millrace.console.."),
        """
        package io.millrace.tasktracker.internal.pull;
        class Planted { io.millrace.jobclient.JobClient client; }
        """,
        """
        package io.millrace.tasktracker.internal.pull;
        class Planted { io.millrace.jobtracker.JobTracker tracker; }
        """);
    ArchitectureRules.keeps(
        noClasses()
            .that()
            .resideInAPackage("io.millrace.jobtracker..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "io.millrace.jobclient..", "io.millrace.tasktracker..", "io.millrace.console.."),
        """
        package io.millrace.jobtracker;
        class Planted { io.millrace.jobclient.JobClient client; }
        """,
        """
        package io.millrace.jobtracker;
        class Planted { io.millrace.tasktracker.TaskTracker worker; }
        """,
        """
        package io.millrace.jobtracker;
        class Planted { io.millrace.console.Console console; }
        """);
  }

  /** What a tracker does is asked by its requests; the console knows nothing of how it is done. */
  @Test
  void consoleKnowsWhatATrackerOffersAndKeepsAndNotHowItWorks() {
    ArchitectureRules.keeps(
        classes()
            .that()
            .resideInAPackage(CONSOLE + "..")
            .should()
            .onlyDependOnClassesThat(
                not(resideInAPackage("io.millrace.."))
                    .or(
                        resideInAnyPackage(
                            CONSOLE + "..",
                            "io.millrace.api..",
                            "io.millrace.internal..",
                            TRACKER,
                            TRACKER + ".config",
                            TRACKER + ".domain..",
                            TRACKER + ".metrics",
                            TRACKER + ".observe",
                            TRACKER + ".pipeline",
                            TRACKER + ".store",
                            TRACKER + ".store.batch",
                            TRACKER + ".store.console",
                            TRACKER + ".store.declared",
                            TRACKER + ".store.failure",
                            TRACKER + ".store.jdbc",
                            TRACKER + ".store.kept",
                            TRACKER + ".store.order",
                            TRACKER + ".store.result",
                            TRACKER + ".store.version"))),
        """
        package io.millrace.console.api;
        class Planted { io.millrace.jobtracker.submit.JobServices jobs; }
        """,
        """
        package io.millrace.console;
        class Planted { io.millrace.jobtracker.wiring.Engine engine; }
        """,
        """
        package io.millrace.console;
        class Planted { io.millrace.jobclient.JobClient client; }
        """);
  }

  @Test
  void partsOfTheConsoleKnowOnlyThoseBelow() {
    ArchitectureRules.keeps(
        noClasses()
            .that()
            .resideInAPackage(CONSOLE + ".*..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(CONSOLE),
        """
        package io.millrace.console.api;
        class Planted { io.millrace.console.ConsoleConfig config; }
        """);
    ArchitectureRules.keeps(
        consolePart("http", "access", "api", "web", "alert"),
        """
        package io.millrace.console.http;
        class Planted { io.millrace.console.access.Sessions sessions; }
        """);
    ArchitectureRules.keeps(
        consolePart("access", "api", "web", "alert"),
        """
        package io.millrace.console.access;
        class Planted { io.millrace.console.api.operator.SessionRoutes routes; }
        """);
    ArchitectureRules.keeps(
        consolePart("alert", "http", "access", "api", "web"),
        """
        package io.millrace.console.alert.mail;
        class Planted { io.millrace.console.http.Route route; }
        """);
    ArchitectureRules.keeps(
        consolePart("web", "access", "api", "alert"),
        """
        package io.millrace.console.web;
        class Planted { io.millrace.console.access.Sessions sessions; }
        """);
  }

  private static ArchRule consolePart(String part, String... unknown) {
    return noClasses()
        .that()
        .resideInAPackage(CONSOLE + "." + part + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            Arrays.stream(unknown)
                .map(other -> CONSOLE + "." + other + "..")
                .toArray(String[]::new));
  }

  @Test
  void modelKnowsTheJdkOnly() {
    ArchitectureRules.keeps(
        classes()
            .that()
            .resideInAnyPackage("io.millrace.api..", "io.millrace.internal.model..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "java..",
                "org.jspecify..",
                "io.millrace.api..",
                "io.millrace.internal.annotation",
                "io.millrace.internal.config",
                "io.millrace.internal.values",
                "io.millrace.internal.model.."),
        """
        package io.millrace.api;
        class Planted { io.millrace.internal.rpc.Session session; }
        """,
        """
        package io.millrace.internal.model;
        class Planted { io.millrace.internal.protocol.PullRequest request; }
        """,
        """
        package io.millrace.internal.model;
        class Planted { org.slf4j.Logger log; }
        """);
  }

  /** One JSON, below the messages of the wire and the values of applications. */
  @Test
  void jsonKnowsTheJdkAndValuesKnowJsonOnly() {
    ArchitectureRules.keeps(
        classes()
            .that()
            .resideInAPackage("io.millrace.internal.json..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "org.jspecify..", "io.millrace.internal.json.."),
        """
        package io.millrace.internal.json;
        class Planted { io.millrace.internal.values.ValueFault fault; }
        """);
    ArchitectureRules.keeps(
        classes()
            .that()
            .resideInAPackage("io.millrace.internal.values..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "java..",
                "org.jspecify..",
                "io.millrace.internal.json",
                "io.millrace.internal.values.."),
        """
        package io.millrace.internal.values;
        class Planted { io.millrace.api.ValueMapper mapper; }
        """,
        """
        package io.millrace.internal.values;
        class Planted { io.millrace.internal.codec.JsonCodec codec; }
        """);
  }

  @Test
  void domainKnowsTheJdkAndTheWordsOfTheWireOnly() {
    ArchitectureRules.keeps(
        classes()
            .that()
            .resideInAPackage("io.millrace.jobtracker.domain..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "java..",
                "org.jspecify..",
                "com.cronutils..",
                "io.millrace.api..",
                "io.millrace.internal.model..",
                "io.millrace.internal.protocol..",
                "io.millrace.jobtracker.domain.."),
        """
        package io.millrace.jobtracker.domain.lease;
        class Planted { org.slf4j.Logger log; }
        """,
        """
        package io.millrace.jobtracker.domain.waiting;
        class Planted { io.millrace.jobtracker.store.WaitingStore store; }
        """,
        """
        package io.millrace.jobtracker.domain.trigger;
        class Planted { io.millrace.internal.time.Clock clock; }
        """,
        """
        package io.millrace.jobtracker.domain.trigger;
        class Planted { io.millrace.internal.rpc.Peer peer; }
        """);
  }

  /** Catalogues of phrases are resource bundles, which the JDK loads as it loads classes. */
  @Test
  void domainDoesNoInputOrOutput() {
    ArchitectureRules.keeps(
        noClasses()
            .that()
            .resideInAPackage("io.millrace.jobtracker.domain..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.io..", "java.net..", "java.nio.."),
        """
        package io.millrace.jobtracker.domain.phrase;
        class Planted { java.io.InputStream catalogue; }
        """,
        """
        package io.millrace.jobtracker.domain.balance;
        class Planted { java.net.InetAddress host; }
        """,
        """
        package io.millrace.jobtracker.domain.outcome;
        class Planted { void write() throws Exception { java.nio.file.Files.size(null); } }
        """);
  }

  /** A served group is taken and left by the cluster's hand, and so knows what that asks of it. */
  @Test
  void servicesDoNotKnowOneAnother() {
    ArchRule rule =
        slices()
            .matching(TRACKER + ".(" + String.join("|", SERVICES) + ")..")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(
                resideInAPackage(TRACKER + ".group"), resideInAPackage(TRACKER + ".cluster"));
    ArchitectureRules.keeps(
        rule,
        """
        package io.millrace.jobtracker.submit;
        class Planted { io.millrace.jobtracker.group.pull.PullService desk; }
        """,
        """
        package io.millrace.jobtracker.cluster;
        class Planted { io.millrace.jobtracker.group.GroupEngine group; }
        """,
        """
        package io.millrace.jobtracker.group.recover;
        class Planted { io.millrace.jobtracker.complete.CompletionService desk; }
        """);
  }

  @Test
  void thatWhichServesAGroupKnowsNoOtherOfItsKindAndNotTheGroup() {
    ArchitectureRules.keeps(
        slices()
            .matching(TRACKER + ".group.(" + String.join("|", OF_A_GROUP) + ")..")
            .should()
            .notDependOnEachOther(),
        """
        package io.millrace.jobtracker.group.pull;
        class Planted { io.millrace.jobtracker.group.preload.PreLoader loader; }
        """);
    ArchitectureRules.keeps(
        noClasses()
            .that()
            .resideInAPackage(TRACKER + ".group.*..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(TRACKER + ".group"),
        """
        package io.millrace.jobtracker.group.pull;
        class Planted { io.millrace.jobtracker.group.GroupEngine group; }
        """);
  }

  @Test
  void everyPackageThatIsNamedHereIsThere() {
    assertThat(SERVICES).allSatisfy(LayersTest::isThere);
    assertThat(OF_A_GROUP).allSatisfy(part -> isThere("group." + part));
  }

  private static void isThere(String name) {
    assertThat(ArchitectureRules.classes().containPackage(TRACKER + "." + name)).as(name).isTrue();
  }

  @Test
  void onlyTheRootTheWiringAndTheConfigurationKnowTheServices() {
    ArchitectureRules.keeps(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                Stream.concat(
                        Stream.of(TRACKER, TRACKER + ".wiring", TRACKER + ".config"),
                        Arrays.stream(servicePackages()))
                    .toArray(String[]::new))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(servicePackages()),
        """
        package io.millrace.jobtracker.store;
        class Planted { io.millrace.jobtracker.group.pull.PullService desk; }
        """,
        """
        package io.millrace.jobtracker.engine;
        class Planted { io.millrace.jobtracker.submit.JobServices jobs; }
        """);
  }

  @Test
  void nothingBelowKnowsTheRoot() {
    ArchitectureRules.keeps(
        noClasses()
            .that()
            .resideInAPackage(TRACKER + ".*..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(TRACKER),
        """
        package io.millrace.jobtracker.wiring;
        class Planted { io.millrace.jobtracker.JobTracker tracker; }
        """);
  }

  @Test
  void onlyTheRootKnowsTheWiring() {
    ArchitectureRules.keeps(
        noClasses()
            .that()
            .resideOutsideOfPackages(TRACKER, TRACKER + ".wiring")
            .and()
            .resideInAPackage(TRACKER + "..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(TRACKER + ".wiring"),
        """
        package io.millrace.jobtracker.group;
        class Planted { io.millrace.jobtracker.wiring.Engine engine; }
        """);
  }

  @Test
  void onlyTheRootTheWiringAndTheConfigurationKnowTheJdbcStore() {
    ArchitectureRules.keeps(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                TRACKER,
                TRACKER + ".wiring",
                TRACKER + ".config",
                TRACKER + ".store.jdbc..",
                CONSOLE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(TRACKER + ".store.jdbc.."),
        """
        package io.millrace.jobtracker.group.preload;
        class Planted { io.millrace.jobtracker.store.jdbc.JdbcStores stores; }
        """,
        """
        package io.millrace.jobtracker.store;
        class Planted { io.millrace.jobtracker.store.jdbc.JdbcStores stores; }
        """);
  }

  @Test
  void packagesFormNoCycles() {
    ArchRule rule = slices().matching("io.millrace.(**)").should().beFreeOfCycles();

    assertThat(rule.evaluate(cycle(TRACKER + ".store", TRACKER + ".group.pull")).hasViolation())
        .isTrue();
    assertThat(rule.evaluate(cycle(WORKER, WORKER + ".execute")).hasViolation()).isTrue();
    assertThat(rule.evaluate(cycle(CLIENT, CLIENT + ".submit")).hasViolation()).isTrue();
    assertThat(rule.evaluate(cycle(CLIENT + ".outbox", CLIENT + ".submit")).hasViolation())
        .isTrue();
    rule.check(ArchitectureRules.classes());
  }

  private static JavaClasses cycle(String one, String other) {
    return Planted.compiled(
        """
        package %s;
        public class One { %s.Other other; }
        """
            .formatted(one, other),
        """
        package %s;
        public class Other { %s.One one; }
        """
            .formatted(other, one));
  }

  private static String[] servicePackages() {
    return Arrays.stream(SERVICES)
        .map(service -> TRACKER + "." + service + "..")
        .toArray(String[]::new);
  }
}
