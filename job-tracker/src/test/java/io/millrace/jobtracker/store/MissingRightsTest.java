package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.jdbc.JdbcStores;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A user who lacks rights. The MariaDB of the build knows none and lets everybody do everything: on
 * it nothing may be said, and each test shows that. On a server with users it shows the rest.
 */
@Tag("database")
class MissingRightsTest {
  private static final String PASSWORD = "Pw_1234567";
  private static final String ROWS = "SELECT, INSERT, UPDATE, DELETE";

  private TestDatabase database;
  private String name;
  private String user;
  private boolean knowsUsers;
  private int opened;

  @BeforeEach
  void makeUser() {
    database = TestDatabase.Kind.server().openEmpty();
    name = database.query("SELECT DATABASE()").get(0);
    user = "u_" + name.substring(name.length() - 12);
    knowsUsers = isPossible("SHOW GRANTS");
    if (knowsUsers) {
      database.execute("CREATE USER '%s'@'%%' IDENTIFIED BY '%s'".formatted(user, PASSWORD));
    }
  }

  @AfterEach
  void dropUser() {
    if (knowsUsers) {
      database.execute("DROP USER '%s'@'%%'".formatted(user));
    }
    database.close();
  }

  private boolean isPossible(String query) {
    try {
      return !database.query(query).isEmpty();
    } catch (IllegalStateException refused) {
      return false;
    }
  }

  private void grant(String rights) {
    if (knowsUsers) {
      database.execute("GRANT %s ON `%s`.* TO '%s'@'%%'".formatted(rights, name, user));
    }
  }

  private void openAsUser() {
    try (JdbcStores over = JdbcStores.open(configOfUser())) {
      over.stores().nodeGroups().ensure("orders", 10);
      over.stores().waiting().insert("orders", List.of(oneShot("job" + ++opened)));
    }
  }

  private StoreConfig configOfUser() {
    StoreConfig config = database.config();
    return new StoreConfig(
        config.url(),
        knowsUsers ? user : config.username(),
        knowsUsers ? PASSWORD : config.password(),
        2,
        config.connectionTimeout());
  }

  private void refusedFor(String rights) {
    if (!knowsUsers) {
      openAsUser();
      return;
    }
    assertThatThrownBy(this::openAsUser)
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "the database user lacks rights: %1$s. Nothing has been changed. Grant them with:"
                + " GRANT %1$s ON `%2$s`.* TO '%3$s'@'%%';",
            rights, name, user);
  }

  private List<String> tables() {
    return database.query(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()");
  }

  @Test
  void rightsThatMigrationsLackAreNamedBeforeAnythingIsChanged() {
    grant(ROWS + ", CREATE");

    refusedFor("ALTER, INDEX");

    assertThat(tables()).matches(made -> made.isEmpty() == knowsUsers);
    grant("ALTER, INDEX");
    openAsUser();
    assertThat(tables()).contains("jt_waiting_orders");
  }

  @Test
  void tablesThatAreUpToDateTakeRightsOnRowsOnly() {
    database.stores().nodeGroups().ensure("orders", 10);
    grant("SELECT, INSERT, UPDATE");

    refusedFor("DELETE");

    grant("DELETE");
    openAsUser();
    assertThat(database.count("jt_waiting_orders")).isPositive();
  }

  /** The usual rights are enough for everything else. */
  @Test
  void groupStaysIfTheUserMayNotDropItsTable() {
    database.stores().nodeGroups().ensure("orders", 10);
    database.stores().nodeGroups().takeOwnership("orders", 1, 0);
    grant(ROWS + ", CREATE, ALTER, INDEX");
    if (!knowsUsers) {
      return;
    }
    try (JdbcStores over = JdbcStores.open(configOfUser())) {
      NodeGroupStore groups = over.stores().nodeGroups();

      assertThatThrownBy(() -> groups.drop("orders", 1, 1, 0))
          .isInstanceOf(StoreException.class)
          .hasStackTraceContaining("DROP command denied");

      assertThat(groups.find("orders")).isPresent();
      over.stores().waiting().insert("orders", List.of(oneShot("job" + ++opened)));
      grant("DROP");
      database.execute("DELETE FROM jt_waiting_orders");
    }
    try (JdbcStores over = JdbcStores.open(configOfUser())) {
      assertThat(over.stores().nodeGroups().drop("orders", 1, 1, 0)).isTrue();
    }
  }

  @Test
  void tableOfANodeGroupOfAFormerVersionTakesTheRightToAlterIt() {
    database.stores().nodeGroups().ensure("orders", 10);
    database.execute("ALTER TABLE jt_waiting_orders DROP COLUMN replay_of");
    database.execute("UPDATE jt_node_group SET schema_version = 2");
    grant(ROWS);

    refusedFor("ALTER");

    grant("ALTER");
    openAsUser();
    assertThat(database.query("SELECT replay_of FROM jt_waiting_orders")).isNotEmpty();
  }

  @Test
  void rightsMayComeByARole() {
    if (knowsUsers) {
      String role = "r" + user.substring(1);
      database.execute("CREATE ROLE " + role);
      database.execute("GRANT ALL PRIVILEGES ON `%s`.* TO %s".formatted(name, role));
      database.execute("GRANT %s TO '%s'@'%%'".formatted(role, user));
      boolean mariaDb = database.query("SELECT VERSION()").get(0).contains("MariaDB");
      database.execute(
          "SET DEFAULT ROLE %s %s '%s'@'%%'".formatted(role, mariaDb ? "FOR" : "TO", user));
    }

    openAsUser();

    assertThat(tables()).contains("jt_waiting_orders");
    if (knowsUsers) {
      database.execute("DROP ROLE r" + user.substring(1));
    }
  }
}
