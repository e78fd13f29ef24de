package io.millrace.api;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The authorities that a caller trusts. The tracker's certificate must also name the host of the
 * address. Without a file and without authorities, those of the JVM are trusted. Immutable.
 *
 * @param certificates PEM file of the trusted authorities; null means that there is no file
 * @param authorities the certificates of the trusted authorities, instead of a file
 */
public record TlsTrust(@Nullable Path certificates, List<X509Certificate> authorities) {

  /**
   * Creates a trust in a file or in certificates.
   *
   * @throws IllegalArgumentException if there are both
   */
  public TlsTrust {
    authorities = List.copyOf(authorities);
    if (certificates != null && !authorities.isEmpty()) {
      throw new IllegalArgumentException(
          "trusted authorities are given twice: by the file " + certificates + " and directly");
    }
  }

  /**
   * Trusts the authorities of a file.
   *
   * @param certificates PEM file of the trusted authorities; null means those of the JVM
   */
  public TlsTrust(@Nullable Path certificates) {
    this(certificates, List.of());
  }

  /**
   * Trusts these authorities only.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static TlsTrust of(Collection<X509Certificate> authorities) {
    if (authorities.isEmpty()) {
      throw new IllegalArgumentException("no trusted authority is given");
    }
    return new TlsTrust(null, List.copyOf(authorities));
  }
}
