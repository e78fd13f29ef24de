package io.millrace.jobtracker.faults;

import io.millrace.jobtracker.fixture.ForwardingTransactions;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.Transactions;
import io.millrace.jobtracker.store.jdbc.JdbcStores;
import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database whose connections break when a test says so. Every commit that has written something
 * is a point, named by its transaction or else by its first statement. For one thread.
 */
final class FragileDatabase implements AutoCloseable {
  private static final Pattern WRITE =
      Pattern.compile("\\s*(INSERT INTO|UPDATE|DELETE|MERGE INTO)\\b.*", Pattern.DOTALL);

  /**
   * What commits of one name do to runs that are split, by the first column that is written. Many
   * lock a batch, by a column of its own.
   */
  private static final Pattern WRITE_OF_SPLIT =
      Pattern.compile(
          "\\s*(?:(?:INSERT INTO|DELETE FROM) (?:jt_batch|jt_part)\\b"
              + "|UPDATE (?:jt_batch|jt_part)\\s+SET (?!write_seq)\\w+)");

  private static final Pattern TABLE = Pattern.compile("\\bjt_[a-z_0-9]+");
  private static final Pattern OBJECT =
      Pattern.compile("\\b(orders|idle)(/[^ ]+)?( \\(job \\d+\\))?|'shop'");

  private static final List<String> TABLES =
      List.of(
          "jt_job",
          "jt_job_submission",
          "jt_job_version",
          "jt_declared",
          "jt_declaration",
          "jt_declaration_owner",
          "jt_executing",
          "jt_history",
          "jt_result",
          "jt_dead",
          "jt_kept",
          "jt_batch",
          "jt_part",
          "jt_job_log",
          "jt_feedback",
          "jt_lane",
          "jt_tracker",
          "jt_node_group");

  /** More than a tracker looks before it gives up. */
  private static final int CONNECTIONS_REFUSED = 5;

  private final TestDatabase database;
  static final String JOB_REPAIR = "io.millrace.jobtracker.group.reconcile.JobRepair";

  private final Connection real;
  private final Stores stores;
  private final List<Point> points = new ArrayList<>();
  private final Set<String> writers = new TreeSet<>();
  private @Nullable String transaction;
  private int connections;
  private Predicate<Point> strikes = point -> false;
  private Fault fault = Fault.UNREACHABLE;
  private final List<Point> struck = new ArrayList<>();
  private int refused;
  private boolean halted;

  FragileDatabase(TestDatabase database) throws SQLException {
    this.database = database;
    Dialect dialect = database.config().dialect();
    this.real = database.connect(dialect.driverProperties());
    real.setAutoCommit(false);
    real.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    DataSource source =
        proxy(
            DataSource.class,
            (method, arguments) ->
                method.getName().equals("getConnection")
                    ? connect()
                    : call(real, method, arguments));
    Stores over = JdbcStores.over(source, dialect, pause -> {}).stores();
    this.stores = ForwardingTransactions.around(over, named(over.transactions()));
  }

  /** The stores of the tracker, which meet the faults. */
  Stores stores() {
    return stores;
  }

  /** The same database on sound connections. */
  TestDatabase database() {
    return database;
  }

  /**
   * Forgets the run before, and empties the tables.
   *
   * @param which connections, for {@link Fault#UNREACHABLE}, or else commits fail like this
   */
  void begin(Predicate<Point> which, Fault how) {
    List<String> emptying = new ArrayList<>();
    TABLES.forEach(table -> emptying.add("DELETE FROM " + table));
    emptying.add("DELETE FROM jt_cluster WHERE name = 'required_level'");
    database.stores().nodeGroups().tables().forEach(table -> emptying.add("DROP TABLE " + table));
    database.executeAll(emptying);
    points.clear();
    struck.clear();
    connections = 0;
    refused = 0;
    halted = false;
    strikes = which;
    fault = how;
  }

  /** The commits of this run that wrote something. */
  List<Point> points() {
    return List.copyOf(points);
  }

  /** The classes whose transactions were met. */
  Set<String> writers() {
    return writers;
  }

  /** What was struck in this run. */
  List<Point> struck() {
    return List.copyOf(struck);
  }

  /** What goes wrong in this run. */
  Fault fault() {
    return fault;
  }

  boolean isHalted() {
    return halted;
  }

  /** The tracker that was halted is buried, and another one may begin. */
  void recover() {
    halted = false;
  }

  private Transactions named(Transactions over) {
    return new ForwardingTransactions(over) {
      @Override
      public <T> T inTransaction(String name, Supplier<T> work) {
        transaction = name;
        writers.add(writer());
        try {
          return super.inTransaction(name, work);
        } finally {
          transaction = null;
        }
      }
    };
  }

  /** The class that begins a transaction: not the one through which the checks of jobs do. */
  private static String writer() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .map(StackWalker.StackFrame::getClassName)
                    .filter(name -> name.startsWith("io.millrace.jobtracker."))
                    .filter(name -> !name.contains(".store.") && !name.contains(".faults."))
                    .filter(name -> !name.startsWith(JOB_REPAIR))
                    .findFirst()
                    .map(name -> name.replaceFirst("\\$.*", ""))
                    .orElse("nobody"));
  }

  private Connection connect() throws SQLException {
    if (halted) {
      throw new Halted();
    }
    connections++;
    if (refused > 0) {
      refused--;
      throw noConnection();
    }
    if (fault == Fault.UNREACHABLE
        && strikes.test(new Point("connection", connections, Set.of()))) {
      throw noConnection();
    }
    return new Lent().proxy();
  }

  private static SQLException noConnection() {
    return new SQLException("no connection", "08001");
  }

  /** The one real connection, lent to one transaction. */
  private final class Lent {
    private final Set<String> writesOfSplits = new TreeSet<>();
    private @Nullable String firstWrite;

    Connection proxy() {
      return FragileDatabase.proxy(Connection.class, this::call);
    }

    private @Nullable Object call(Method method, Object[] arguments) throws Throwable {
      switch (method.getName()) {
        case "prepareStatement" -> note((String) arguments[0]);
        case "commit" -> {
          commit();
          return null;
        }
        case "close" -> {
          if (!halted) {
            giveBack();
          }
          return null;
        }
        default -> {}
      }
      return FragileDatabase.call(real, method, arguments);
    }

    /** Flyway commits each statement by itself; then there is nothing to roll back. */
    private void giveBack() throws SQLException {
      if (real.getAutoCommit()) {
        real.setAutoCommit(false);
      } else {
        real.rollback();
      }
    }

    private void note(String sql) {
      if (firstWrite == null && WRITE.matcher(sql).matches()) {
        Matcher table = TABLE.matcher(sql);
        firstWrite = sql.strip().split("\\s")[0] + (table.find() ? " " + table.group() : "");
      }
      Matcher split = WRITE_OF_SPLIT.matcher(sql);
      if (split.lookingAt()) {
        writesOfSplits.add(split.group().strip().replaceAll("\\s+", " "));
      }
    }

    private void commit() throws SQLException {
      if (firstWrite == null) {
        real.commit();
        return;
      }
      String name = transaction == null ? firstWrite : transaction;
      String label = OBJECT.matcher(name).replaceAll("…").replaceAll("\\d+", "#");
      Point point = Point.following(points, label, writesOfSplits);
      points.add(point);
      if (fault.isAtCommit() && fault != Fault.UNREACHABLE && strikes.test(point)) {
        struck.add(point);
        strike(fault);
      } else {
        real.commit();
      }
    }

    private void strike(Fault how) throws SQLException {
      if (how.name().startsWith("ANSWER") || how == Fault.HALT_AFTER_COMMIT) {
        real.commit();
      } else {
        real.rollback();
      }
      if (how.halts()) {
        halted = true;
        throw new Halted();
      }
      if (how.name().endsWith("GONE")) {
        refused = CONNECTIONS_REFUSED;
      }
      throw new SQLException("connection lost", "08006");
    }
  }

  private interface Call {
    @Nullable Object of(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> call.of(method, arguments)));
  }

  private static @Nullable Object call(Object on, Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  public void close() throws SQLException {
    real.close();
    database.close();
  }
}
