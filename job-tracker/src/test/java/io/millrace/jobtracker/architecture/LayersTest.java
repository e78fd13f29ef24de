package io.millrace.jobtracker.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who may know whom: modules, rooms, layers. */
class LayersTest {
  private static final String TRACKER = "io.millrace.jobtracker";
  private static final String[] ROOMS = {
    "submit",
    "generate",
    "preload",
    "pull",
    "complete",
    "recover",
    "reconcile",
    "membership",
    "peers",
    "joblog",
    "explain",
    "purge",
    "fleet",
    "alert",
    "console",
    "rpc"
  };

  @Test
  void modulesKnowCommonOnly() {
    House.keeps(
        noClasses()
            .that()
            .resideInAPackage("io.millrace.common..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "io.millrace.jobclient..", "io.millrace.tasktracker..", "io.millrace.jobtracker.."),
        """
        package io.millrace.common.model;
        class Planted { io.millrace.jobtracker.JobTracker tracker; }
        """);
    House.keeps(
        noClasses()
            .that()
            .resideInAPackage("io.millrace.jobclient..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.millrace.tasktracker..", "io.millrace.jobtracker.."),
        """
        package io.millrace.jobclient;
        class Planted { io.millrace.tasktracker.TaskTracker worker; }
        """,
        """
        package io.millrace.jobclient;
        class Planted { io.millrace.jobtracker.JobTracker tracker; }
        """);
    House.keeps(
        noClasses()
            .that()
            .resideInAPackage("io.millrace.tasktracker..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.millrace.jobclient..", "io.millrace.jobtracker.."),
        """
        package io.millrace.tasktracker.pull;
        class Planted { io.millrace.jobclient.JobClient client; }
        """,
        """
        package io.millrace.tasktracker.pull;
        class Planted { io.millrace.jobtracker.JobTracker tracker; }
        """);
    House.keeps(
        noClasses()
            .that()
            .resideInAPackage("io.millrace.jobtracker..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.millrace.jobclient..", "io.millrace.tasktracker.."),
        """
        package io.millrace.jobtracker;
        class Planted { io.millrace.jobclient.JobClient client; }
        """,
        """
        package io.millrace.jobtracker;
        class Planted { io.millrace.tasktracker.TaskTracker worker; }
        """);
  }

  @Test
  void modelKnowsTheJdkOnly() {
    House.keeps(
        classes()
            .that()
            .resideInAPackage("io.millrace.common.model..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "org.jspecify..", "io.millrace.common.model.."),
        """
        package io.millrace.common.model;
        class Planted { io.millrace.common.protocol.PullRequest request; }
        """,
        """
        package io.millrace.common.model;
        class Planted { org.slf4j.Logger log; }
        """);
  }

  @Test
  void domainKnowsTheJdkAndTheWordsOfTheWireOnly() {
    House.keeps(
        classes()
            .that()
            .resideInAPackage("io.millrace.jobtracker.domain..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "java..",
                "org.jspecify..",
                "com.cronutils..",
                "io.millrace.common.model..",
                "io.millrace.common.protocol..",
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
        class Planted { io.millrace.common.time.Clock clock; }
        """,
        """
        package io.millrace.jobtracker.domain.trigger;
        class Planted { io.millrace.common.rpc.Peer peer; }
        """);
  }

  @Test
  void roomsDoNotKnowOneAnother() {
    ArchRule rule =
        slices()
            .matching(TRACKER + ".(" + String.join("|", ROOMS) + ")..")
            .should()
            .notDependOnEachOther();
    House.keeps(
        rule,
        """
        package io.millrace.jobtracker.submit;
        class Planted { io.millrace.jobtracker.pull.PullDesk desk; }
        """,
        """
        package io.millrace.jobtracker.recover;
        class Planted { io.millrace.jobtracker.complete.CompletionDesk desk; }
        """);
  }

  @Test
  void everyRoomThatIsNamedHereIsThere() {
    assertThat(ROOMS)
        .allSatisfy(
            room ->
                assertThat(House.classes().containPackage(TRACKER + "." + room)).as(room).isTrue());
  }

  @Test
  void onlyTheRootKnowsTheRooms() {
    House.keeps(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                Stream.concat(Stream.of(TRACKER), Arrays.stream(roomPackages()))
                    .toArray(String[]::new))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(roomPackages()),
        """
        package io.millrace.jobtracker.store;
        class Planted { io.millrace.jobtracker.pull.PullDesk desk; }
        """,
        """
        package io.millrace.jobtracker.signal;
        class Planted { io.millrace.jobtracker.submit.SubmitRoom room; }
        """);
  }

  @Test
  void nothingBelowKnowsTheRoot() {
    House.keeps(
        noClasses()
            .that()
            .resideInAPackage(TRACKER + ".*..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(TRACKER),
        """
        package io.millrace.jobtracker.recover;
        class Planted { io.millrace.jobtracker.ServiceConfig config; }
        """);
  }

  @Test
  void onlyTheRootKnowsTheJdbcStore() {
    House.keeps(
        noClasses()
            .that()
            .resideOutsideOfPackages(TRACKER, TRACKER + ".store.jdbc..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(TRACKER + ".store.jdbc.."),
        """
        package io.millrace.jobtracker.preload;
        class Planted { io.millrace.jobtracker.store.jdbc.JdbcStores stores; }
        """,
        """
        package io.millrace.jobtracker.store;
        class Planted { io.millrace.jobtracker.store.jdbc.JdbcStores stores; }
        """);
  }

  /** The API of the worker is in its root, so there the rooms do know the root. */
  @Test
  void packagesFormNoCycles() {
    ArchRule rule =
        slices()
            .matching("io.millrace.(**)")
            .should()
            .beFreeOfCycles()
            .ignoreDependency(alwaysTrue(), resideInAPackage("io.millrace.tasktracker"));
    JavaClasses planted =
        Planted.compiled(
            """
            package io.millrace.jobtracker.store;
            public class Below { io.millrace.jobtracker.pull.Above above; }
            """,
            """
            package io.millrace.jobtracker.pull;
            public class Above { io.millrace.jobtracker.store.Below below; }
            """);

    assertThat(rule.evaluate(planted).hasViolation()).isTrue();
    rule.check(House.classes());
  }

  private static String[] roomPackages() {
    return Arrays.stream(ROOMS).map(room -> TRACKER + "." + room + "..").toArray(String[]::new);
  }
}
