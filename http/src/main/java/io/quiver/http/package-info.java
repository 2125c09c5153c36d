/**
 * HTTP/1.1 for one kind of server: one thread for each connection, blocking channels, gathered
 * writes. Heads, chunks and bodies are parsed by Apache HttpCore; limits, timeouts and budgets are
 * kept here. Nothing in this package knows what a blob is.
 */
@NullMarked
package io.quiver.http;

import org.jspecify.annotations.NullMarked;
