/**
 * The test kit: what the tests of several modules share. It knows no other module, so that every
 * module's tests can use it; doubles of a contract live in the tests of the module that owns the
 * contract and are handed on as its test jar.
 */
@NullMarked
package io.quiver.testkit;

import org.jspecify.annotations.NullMarked;
