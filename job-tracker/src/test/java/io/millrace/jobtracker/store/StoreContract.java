package io.millrace.jobtracker.store;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * What a store promises: the tests of a subclass run on every database. They share one database a
 * class, so each test has a node group of its own and ids that nobody else has.
 */
@ParameterizedClass(name = "{0}")
@EveryDatabase
public abstract class StoreContract {
  private static final AtomicInteger NODE_GROUPS = new AtomicInteger();

  public static TestDatabase database;

  @Parameter TestDatabase.Kind kind;

  public Stores stores;
  public String nodeGroup;

  @BeforeParameterizedClassInvocation
  static void openDatabase(TestDatabase.Kind kind) {
    database = kind.open();
  }

  @AfterParameterizedClassInvocation
  static void closeDatabase() {
    database.close();
  }

  @BeforeEach
  void takeNodeGroup() {
    stores = database.stores();
    nodeGroup = newNodeGroup();
  }

  public String newNodeGroup() {
    String name = "group-" + NODE_GROUPS.incrementAndGet();
    stores.nodeGroups().ensure(name, Integer.MAX_VALUE);
    return name;
  }
}
