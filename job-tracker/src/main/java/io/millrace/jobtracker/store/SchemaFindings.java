package io.millrace.jobtracker.store;

import java.util.List;

/**
 * How the tables of a database compare with those that this version of Millrace works on.
 *
 * @param differences what does not fit, a line each; empty if the database fits
 * @param notes what is worth knowing and fits all the same, such as migrations of a newer version
 */
public record SchemaFindings(List<String> differences, List<String> notes) {
  public SchemaFindings {
    differences = List.copyOf(differences);
    notes = List.copyOf(notes);
  }

  /** Whether a tracker of this version finds what it needs. */
  public boolean fits() {
    return differences.isEmpty();
  }
}
