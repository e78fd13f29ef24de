package io.millrace.console;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;

/** A certificate of its own making for 127.0.0.1, and its key, as PEM files. */
record PemIdentity(Path certificate, Path key) {
  private static final String PASSWORD = "only for this test";

  /** Lets the JDK's keytool make one. */
  static PemIdentity in(Path folder) throws IOException, InterruptedException {
    Path store = folder.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    "tracker",
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=tracker",
                    "-ext",
                    "SAN=ip:127.0.0.1",
                    "-storetype",
                    "PKCS12",
                    "-keystore",
                    store.toString(),
                    "-storepass",
                    PASSWORD))
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes());
    if (keytool.waitFor() != 0) {
      throw new IOException(said);
    }
    try {
      return export(store, folder);
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static PemIdentity export(Path store, Path folder)
      throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    byte[] certificate = keys.getCertificate("tracker").getEncoded();
    byte[] key = keys.getKey("tracker", PASSWORD.toCharArray()).getEncoded();
    return new PemIdentity(
        write(folder.resolve("certificate.pem"), "CERTIFICATE", certificate),
        write(folder.resolve("key.pem"), "PRIVATE KEY", key));
  }

  private static Path write(Path file, String label, byte[] der) throws IOException {
    String body = Base64.getMimeEncoder().encodeToString(der);
    String begin = "-----BEGIN " + label + "-----\n";
    return Files.writeString(file, begin + body + "\n-----END " + label + "-----\n");
  }

  /** The certificate. */
  Certificate read() throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(certificate)) {
      return CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }
}
