package io.millrace.console.access.oidc;

import io.millrace.console.access.Secrets;
import java.util.List;

/**
 * A person as the provider knows them. Only issuer and subject together identify a person: names
 * are given to others.
 *
 * @param name how the person is called there
 * @param values of the claim that rules are about
 */
record Identity(String issuer, String subject, String name, List<String> values) {

  /** Identifies the person in the store, in 64 characters. */
  String key() {
    return Secrets.hash("identity " + issuer.length() + " " + issuer + " " + subject);
  }
}
