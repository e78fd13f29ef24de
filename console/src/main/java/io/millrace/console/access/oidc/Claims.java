package io.millrace.console.access.oidc;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a provider says of a person.
 *
 * @param names the claims that count
 * @param all as in the ID token, or as the provider answers
 */
record Claims(OidcConfig.Claims names, Map<String, Object> all) {
  private static final String EMAIL = "email";

  /** Whether the claims that count are there. */
  boolean areComplete() {
    return find(names.name()) != null && find(names.roles()) != null;
  }

  /** With more claims; where both say something, the ID token counts, which is signed. */
  Claims with(Map<String, Object> more) {
    Map<String, Object> both = new HashMap<>(more);
    both.putAll(all);
    return new Claims(names, both);
  }

  /** How the person is called; as the provider numbers people if it does not say. */
  String name(String subject) {
    return find(names.name()) instanceof String name && !name.isBlank() ? name : subject;
  }

  /**
   * The values that rules are about. An address for e-mail that the provider has not verified says
   * nothing: some let people write what they like.
   */
  List<String> values() {
    if (names.roles().equals(EMAIL) && !Boolean.TRUE.equals(all.get("email_verified"))) {
      return List.of();
    }
    Object found = find(names.roles());
    if (found instanceof Collection<?> many) {
      return many.stream().map(String::valueOf).toList();
    }
    return found == null ? List.of() : List.of(String.valueOf(found));
  }

  /** The claim of this name; if there is none, the one to which the dots in the name lead. */
  private @Nullable Object find(String name) {
    Object whole = all.get(name);
    if (whole != null) {
      return whole;
    }
    Object at = all;
    for (String part : name.split("\\.", -1)) {
      at = at instanceof Map<?, ?> claims ? claims.get(part) : null;
    }
    return at;
  }
}
