package io.millrace.internal.rpc;

import io.millrace.api.TlsTrust;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The certificate that a tracker presents to its callers, and the authorities that it trusts when
 * it calls other trackers.
 *
 * @param certificateChain PEM file, the tracker's own certificate first
 * @param privateKey PEM file, PKCS#8, not encrypted
 * @param trust PEM file of the authorities that sign other trackers' certificates; null means the
 *     certificates of its own chain
 */
public record TlsIdentity(Path certificateChain, Path privateKey, @Nullable Path trust) {

  /** Trusts the certificates of its own chain. */
  public TlsIdentity(Path certificateChain, Path privateKey) {
    this(certificateChain, privateKey, null);
  }

  /** The authorities that the tracker trusts when it calls other trackers. */
  public TlsTrust ofPeers() {
    Path believed = trust;
    return new TlsTrust(believed == null ? certificateChain : believed);
  }
}
