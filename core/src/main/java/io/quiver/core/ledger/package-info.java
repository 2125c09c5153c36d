/**
 * Ledgers record what a job's rank delivered, batch by batch, so that anybody can check afterwards
 * that every epoch was exactly once, or exactly its list. A ledger is a stream of frames with a
 * checksum each; a file whose end was torn off is read up to the tear. {@link
 * io.quiver.core.ledger.LedgerVerifier} judges the ledgers of all ranks together. The bytes are in
 * docs/ledger-format.md.
 *
 * <p>Streams are passed in; this package opens no file.
 */
@NullMarked
package io.quiver.core.ledger;

import org.jspecify.annotations.NullMarked;
