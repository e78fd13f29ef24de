package io.millrace.spring.internal.config;

import io.millrace.api.TlsTrust;
import io.millrace.internal.rpc.HostPort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;

/** What the client and the worker need to reach trackers, from the properties. */
public final class Connection {
  private final MillraceProperties properties;
  private final ObjectProvider<SslBundles> bundles;

  Connection(MillraceProperties properties, ObjectProvider<SslBundles> bundles) {
    this.properties = properties;
    this.bundles = bundles;
  }

  /**
   * Returns the addresses of trackers.
   *
   * @throws MillraceStartException naming the address that is wrong
   */
  String[] trackers() {
    List<String> addresses = properties.trackers();
    if (addresses.isEmpty()) {
      throw new MillraceStartException(
          "millrace.trackers names no tracker.",
          "Set it to the address of a tracker, such as millrace.trackers=tracker.example:35001.");
    }
    for (String address : addresses) {
      try {
        HostPort unused = HostPort.parse(address);
      } catch (IllegalArgumentException wrong) {
        throw new MillraceStartException(
            "The address of a tracker in millrace.trackers is wrong: " + wrong.getMessage() + ".",
            "Write host:port, several separated by commas, such as"
                + " millrace.trackers=tracker-1.example:35001,tracker-2.example:35001.",
            wrong);
      }
    }
    return addresses.toArray(String[]::new);
  }

  /**
   * Returns the token of clients, or null.
   *
   * @throws MillraceStartException naming the file that cannot be read
   */
  public @Nullable String clientToken() {
    MillraceProperties.Client client = properties.client();
    return token("millrace.client.", client.token(), client.tokenFile());
  }

  /**
   * Returns the token of workers, or null.
   *
   * @throws MillraceStartException naming the file that cannot be read
   */
  public @Nullable String workerToken() {
    MillraceProperties.Worker worker = properties.worker();
    return token("millrace.worker.", worker.token(), worker.tokenFile());
  }

  private @Nullable String token(String prefix, @Nullable String own, @Nullable Path ownFile) {
    String token = read(prefix, own, ownFile);
    return token != null ? token : read("millrace.", properties.token(), properties.tokenFile());
  }

  private static @Nullable String read(String prefix, @Nullable String text, @Nullable Path file) {
    if (text != null && file != null) {
      throw new MillraceStartException(
          "There are both %stoken and %stoken-file.".formatted(prefix, prefix), "Set one of them.");
    }
    if (file == null) {
      return text == null || text.isBlank() ? null : text;
    }
    try {
      return Files.readString(file, StandardCharsets.UTF_8).strip();
    } catch (IOException failure) {
      throw new MillraceStartException(
          "The file %s of %stoken-file cannot be read: %s."
              .formatted(file.toAbsolutePath(), prefix, reason(failure)),
          "Create the file with the token in it, readable by the user of this process, or name"
              + " another one.",
          failure);
    }
  }

  private static String reason(IOException failure) {
    return failure instanceof NoSuchFileException ? "it does not exist" : String.valueOf(failure);
  }

  /** Returns the trusted authorities; null if connections are not encrypted. */
  public @Nullable TlsTrust tls() {
    MillraceProperties.Tls tls = properties.tls();
    if (tls.bundle() != null && tls.certificates() != null) {
      throw new MillraceStartException(
          "There are both millrace.tls.bundle and millrace.tls.certificates.", "Set one of them.");
    }
    if (tls.bundle() != null) {
      return trustOf(tls.bundle());
    }
    Path file = tls.certificates();
    if (file != null && !Files.isReadable(file)) {
      throw new MillraceStartException(
          "The file %s of millrace.tls.certificates does not exist or is not readable."
              .formatted(file.toAbsolutePath()),
          "Name a PEM file with the certificates of the authorities to trust.");
    }
    return tls.enabled() || file != null ? new TlsTrust(file) : null;
  }

  private TlsTrust trustOf(String bundle) {
    String property = "The SSL bundle '" + bundle + "' of millrace.tls.bundle ";
    try {
      KeyStore trusted = bundles.getObject().getBundle(bundle).getStores().getTrustStore();
      if (trusted == null) {
        return new TlsTrust(null);
      }
      List<X509Certificate> authorities = new ArrayList<>();
      for (String alias : Collections.list(trusted.aliases())) {
        if (trusted.getCertificate(alias) instanceof X509Certificate certificate) {
          authorities.add(certificate);
        }
      }
      if (authorities.isEmpty()) {
        throw new MillraceStartException(
            property + "has a trust store without certificates.",
            "Add the certificates of the authorities that signed those of the trackers.");
      }
      return TlsTrust.of(authorities);
    } catch (NoSuchSslBundleException missing) {
      throw new MillraceStartException(
          property + "does not exist.",
          "Define it with the properties spring.ssl.bundle.pem."
              + bundle
              + ".* or"
              + " spring.ssl.bundle.jks."
              + bundle
              + ".*, or name one that exists.",
          missing);
    } catch (KeyStoreException unusable) {
      throw new MillraceStartException(
          property + "cannot be used: " + unusable.getMessage() + ".",
          "Correct its trust store.",
          unusable);
    }
  }
}
