package io.millrace.common.rpc;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a tracker shows its callers, and whom it believes when it calls other trackers.
 *
 * @param certificateChain PEM file, the tracker's own certificate first
 * @param privateKey PEM file, PKCS#8, not encrypted
 * @param trust PEM file of the authorities that other trackers' certificates come from; null means
 *     the certificates of its own chain
 */
public record TlsIdentity(Path certificateChain, Path privateKey, @Nullable Path trust) {

  /** Believes the certificates of its own chain. */
  public TlsIdentity(Path certificateChain, Path privateKey) {
    this(certificateChain, privateKey, null);
  }

  /** Whom the tracker believes when it calls others. */
  public TlsTrust ofPeers() {
    Path believed = trust;
    return new TlsTrust(believed == null ? certificateChain : believed);
  }
}
