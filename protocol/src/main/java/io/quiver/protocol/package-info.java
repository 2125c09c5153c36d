/**
 * The wire contract of the cache server. Data travels in binary frames inside HTTP/1.1 bodies, all
 * integers little-endian, all frames beginning with a four-byte magic; control travels as JSON.
 *
 * <p>{@code POST /v1/blobs/get} and {@code POST /v1/blobs/lookup} carry an {@link
 * io.quiver.protocol.AskFrame} and are answered by an {@link io.quiver.protocol.AnswerFrame}, after
 * which a get sends the payloads of the hits in order. {@code PUT /v1/blobs} carries an {@link
 * io.quiver.protocol.OfferFrame} with its payloads and is answered by a {@link
 * io.quiver.protocol.ReceiptFrame}. The frames are views of buffers: nothing is copied, and what is
 * malformed is refused with a {@link io.quiver.protocol.FrameException} that names the value.
 */
@NullMarked
package io.quiver.protocol;

import org.jspecify.annotations.NullMarked;
