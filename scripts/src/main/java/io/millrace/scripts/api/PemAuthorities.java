package io.millrace.scripts.api;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Trusts the certificate authorities of a PEM file and no others. */
final class PemAuthorities {
  private PemAuthorities() {}

  /**
   * Reads the file.
   *
   * @throws IllegalArgumentException if the file contains no certificate, or an unreadable one
   * @throws IOException if the file cannot be read
   */
  static SSLContext read(Path file) throws IOException {
    try (InputStream pem = Files.newInputStream(file)) {
      Collection<? extends Certificate> certificates =
          CertificateFactory.getInstance("X.509").generateCertificates(pem);
      if (certificates.isEmpty()) {
        throw new IllegalArgumentException(file + " has no certificate");
      }
      return believing(certificates);
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          file + " has no readable certificates: " + e.getMessage(), e);
    }
  }

  private static SSLContext believing(Collection<? extends Certificate> certificates)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    int number = 0;
    for (Certificate certificate : certificates) {
      store.setCertificateEntry("authority-" + number++, certificate);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
