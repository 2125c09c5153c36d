/**
 * Reads over plain HTTP/1.1 connections, for stores of many small objects: the clients of SDKs cost
 * several times the processor time. Makes single requests and knows nothing of any service; {@link
 * io.quiver.remote.retry.RetryingStore} bounds how many there are at a time.
 */
@NullMarked
package io.quiver.remote.direct;

import org.jspecify.annotations.NullMarked;
