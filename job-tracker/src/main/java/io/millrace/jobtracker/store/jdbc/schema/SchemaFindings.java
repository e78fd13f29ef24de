package io.millrace.jobtracker.store.jdbc.schema;

import java.util.List;

/**
 * The comparison of a database's tables with those that this version of Millrace needs.
 *
 * @param differences the mismatches, one line each; empty if the database fits
 * @param notes remarks that are no mismatches, for example migrations of a newer version
 */
public record SchemaFindings(List<String> differences, List<String> notes) {
  public SchemaFindings {
    differences = List.copyOf(differences);
    notes = List.copyOf(notes);
  }

  /** Whether a tracker of this version can use the database. */
  public boolean fits() {
    return differences.isEmpty();
  }
}
