/**
 * How the command talks to people and to scripts: streams, exit codes, errors, sizes, tables,
 * progress, JSON.
 */
@NullMarked
package io.quiver.cli.console;

import org.jspecify.annotations.NullMarked;
