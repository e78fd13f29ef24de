package io.millrace.console.http.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks the files of a certificate chain and its key before they are used. */
final class PemFiles {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");

  /** The signature algorithms used to test whether a key belongs to a certificate. */
  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA");

  private PemFiles() {}

  /**
   * Checks that both files are valid and belong together.
   *
   * @throws IllegalStateException that names the invalid file
   */
  static void check(Path certificate, Path key) {
    PublicKey shown = certificateOf(certificate).getPublicKey();
    PrivateKey kept = keyOf(key, shown.getAlgorithm());
    if (!belongTogether(shown, kept)) {
      throw new IllegalStateException(
          "the private key in " + key + " does not belong to the certificate in " + certificate);
    }
  }

  /** The first certificate of a chain, all of which can be read. */
  private static Certificate certificateOf(Path file) {
    ByteArrayInputStream chain = new ByteArrayInputStream(read(file));
    try {
      return CertificateFactory.getInstance("X.509").generateCertificates(chain).stream()
          .findFirst()
          .orElseThrow(() -> new CertificateException("the file has none"));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no PEM certificate can be read from " + file, e);
    }
  }

  private static PrivateKey keyOf(Path file, String algorithm) {
    Matcher key = KEY.matcher(new String(read(file), StandardCharsets.ISO_8859_1));
    if (!key.find()) {
      throw new IllegalStateException(
          "there is no private key in PEM (PKCS#8, not encrypted) in " + file);
    }
    try {
      byte[] encoded = Base64.getMimeDecoder().decode(key.group(1));
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IllegalStateException(
          "no private key of the certificate's algorithm, %s, can be read from %s"
              .formatted(algorithm, file),
          e);
    }
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IllegalStateException(file + ": the file does not exist or is not readable", e);
    }
  }

  /**
   * Whether the keys belong together; true for other kinds of keys, which the TLS handshake checks.
   */
  private static boolean belongTogether(PublicKey shown, PrivateKey kept) {
    String algorithm = SIGNATURES.get(shown.getAlgorithm());
    if (algorithm == null) {
      return true;
    }
    byte[] text = {1};
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(kept);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(shown);
      signature.update(text);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
