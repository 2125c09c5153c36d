/**
 * Details and listings of one store, as fresh as a window allows. Questions that several callers
 * ask at once reach the store once. Time is passed in; nothing here reads bytes of objects.
 */
@org.jspecify.annotations.NullMarked
package io.quiver.gateway.door.metadata;
