package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.store.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.datasource.init.ScriptException;

/** Makes waiting tables from their template. */
final class WaitingTables {

  /** The version of the template. */
  static final int SCHEMA_VERSION = 1;

  private static final Logger log = LoggerFactory.getLogger(WaitingTables.class);

  private final DataSource dataSource;
  private final String template;

  WaitingTables(DataSource dataSource, Dialect dialect) {
    this.dataSource = dataSource;
    this.template = read("schema/" + dialect.schemaFolder() + "/waiting-table.sql");
  }

  /**
   * Makes the table unless it exists. Commits by itself, as data definition does, so it must not be
   * called inside a transaction. Harmless when several do it at once: H2 looks for an index before
   * it locks the table, so that IF NOT EXISTS may fail, but once more finds what the other one
   * made.
   */
  void create(WaitingTableName table) {
    try {
      runTemplate(table);
    } catch (StoreException e) {
      log.debug("{} is being made by another tracker, perhaps", table, e);
      runTemplate(table);
    }
  }

  private void runTemplate(WaitingTableName table) {
    String script = template.replace("${table}", table.toString());
    ResourceDatabasePopulator populator =
        new ResourceDatabasePopulator(
            new ByteArrayResource(script.getBytes(StandardCharsets.UTF_8), "template of " + table));
    try {
      populator.execute(dataSource);
    } catch (ScriptException e) {
      throw new StoreException("create " + table + ": " + e.getMessage(), e);
    }
  }

  private static String read(String path) {
    try {
      return new ClassPathResource(path).getContentAsString(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new StoreException("/" + path + " is not on the class path", e);
    }
  }
}
