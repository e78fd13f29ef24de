package io.millrace.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** Each library is known to one package only, so that it can be exchanged there. */
class LibrariesTest {

  @Test
  void nettyIsKnownToRpcAndTimeAndWhereTheConsoleAcceptsConnectionsOnly() {
    ArchitectureRules.keeps(
        only("io.netty..", "io.millrace.internal.shaded.netty..")
            .in(
                "io.millrace.internal.rpc.netty",
                "io.millrace.internal.time..",
                "io.millrace.console.http.server"),
        """
        package io.millrace.jobtracker.group.pull;
        class Planted { io.netty.channel.Channel worker; }
        """,
        """
        package io.millrace.internal.codec;
        class Planted { Object allocate() { return io.netty.buffer.Unpooled.buffer(); } }
        """);
  }

  @Test
  void vertxIsKnownToTheServerOfTheConsoleOnly() {
    ArchitectureRules.keeps(
        only("io.vertx..").in("io.millrace.console.http.."),
        """
        package io.millrace.console.api;
        class Planted { io.vertx.ext.web.RoutingContext context; }
        """,
        """
        package io.millrace.jobtracker.group.pull;
        class Planted { io.vertx.core.Vertx vertx; }
        """);
  }

  @Test
  void springAndThePoolAreKnownToTheJdbcStoreOnly() {
    ArchitectureRules.keeps(
        only("org.springframework..", "com.zaxxer..", "org.flywaydb..", "com.mysql..")
            .in("io.millrace.jobtracker.store.jdbc.."),
        """
        package io.millrace.jobtracker;
        class Planted { org.springframework.jdbc.core.JdbcTemplate jdbc; }
        """,
        """
        package io.millrace.jobtracker;
        class Planted { com.zaxxer.hikari.HikariDataSource pool; }
        """,
        """
        package io.millrace.jobtracker;
        class Planted { Object start() { return org.flywaydb.core.Flyway.configure(); } }
        """);
  }

  /** A client enqueues jobs in the database of its application, by the plain API of the JDK. */
  @Test
  void sqlIsKnownToTheJdbcStoreAndToTheRelayOfTheClientOnly() {
    ArchitectureRules.keeps(
        only("java.sql..", "javax.sql..")
            .in(
                "io.millrace.jobtracker.store.jdbc..",
                "io.millrace.jobclient",
                "io.millrace.jobclient.internal.relay"),
        """
        package io.millrace.jobtracker.store;
        interface Planted { void bind(java.sql.PreparedStatement statement); }
        """,
        """
        package io.millrace.jobtracker.cluster;
        class Planted { javax.sql.DataSource source; }
        """,
        """
        package io.millrace.jobclient.internal.outbox;
        class Planted { java.sql.Connection connection; }
        """);
  }

  /** The outbox stores with what H2 itself stores with, and knows nothing of its SQL. */
  @Test
  void h2IsKnownToTheJdbcStoreAndToTheOutboxOnly() {
    ArchitectureRules.keeps(
        only("org.h2..", "io.millrace.internal.shaded.h2..")
            .in("io.millrace.jobtracker.store.jdbc..", "io.millrace.internal.outbox.."),
        """
        package io.millrace.tasktracker.internal.report;
        class Planted { org.h2.mvstore.MVStore results; }
        """,
        """
        package io.millrace.jobtracker.submit;
        class Planted { org.h2.Driver driver; }
        """);
    ArchitectureRules.keeps(
        only("org.h2").in("io.millrace.jobtracker.store.jdbc.."),
        """
        package io.millrace.internal.outbox;
        class Planted { org.h2.Driver driver; }
        """);
  }

  @Test
  void mailIsKnownToMailsOnlyAndTheHttpClientToWebhooksOnly() {
    ArchitectureRules.keeps(
        only("jakarta..").in("io.millrace.console.alert.mail.."),
        """
        package io.millrace.console.alert.monitor;
        class Planted { jakarta.mail.Session session; }
        """);
    ArchitectureRules.keeps(
        only("java.net.http..").in("io.millrace.console.alert.webhook.."),
        """
        package io.millrace.jobtracker.submit;
        class Planted { java.net.http.HttpClient client; }
        """);
  }

  @Test
  void micrometerIsKnownToWhatMeasuresOnly() {
    ArchitectureRules.keeps(
        only("io.micrometer..")
            .in(
                "io.millrace.jobtracker",
                "io.millrace.jobtracker.wiring",
                "io.millrace.jobtracker.metrics..",
                "io.millrace.jobtracker.observe",
                "io.millrace.jobtracker.store.jdbc..",
                "io.millrace.console",
                "io.millrace.console.alert.monitor",
                "io.millrace.jobclient",
                "io.millrace.jobclient.internal.metrics..",
                "io.millrace.jobclient.internal.wiring..",
                "io.millrace.tasktracker",
                "io.millrace.tasktracker.internal.metrics.."),
        """
        package io.millrace.jobtracker.group.pull;
        class Planted { io.micrometer.core.instrument.Counter claims; }
        """,
        """
        package io.millrace.tasktracker.internal.execute;
        class Planted { io.micrometer.core.instrument.Timer runs; }
        """,
        """
        package io.millrace.jobtracker.engine;
        class Planted { io.micrometer.core.instrument.MeterRegistry meters; }
        """);
    ArchitectureRules.keeps(
        only("io.micrometer.prometheusmetrics..", "io.prometheus..")
            .in("io.millrace.jobtracker.metrics.."),
        """
        package io.millrace.jobtracker;
        class Planted { io.micrometer.prometheusmetrics.PrometheusMeterRegistry scraped; }
        """);
  }

  @Test
  void cronUtilsIsKnownToCronExpressionsOnly() {
    ArchitectureRules.keeps(
        only("com.cronutils..").in("io.millrace.jobtracker.domain.cron"),
        """
        package io.millrace.jobtracker.domain.trigger;
        class Planted { com.cronutils.model.Cron cron; }
        """);
  }

  @Test
  void commonsTextIsKnownToExplanationsOnly() {
    ArchitectureRules.keeps(
        only("org.apache.commons.text..").in("io.millrace.jobtracker.explain.."),
        """
        package io.millrace.jobtracker.domain.explain;
        class Planted { org.apache.commons.text.similarity.LevenshteinDistance distance; }
        """);
  }

  private static Only only(String... libraries) {
    return homes ->
        noClasses()
            .that()
            .resideOutsideOfPackages(homes)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(libraries);
  }

  private interface Only {
    ArchRule in(String... homes);
  }
}
