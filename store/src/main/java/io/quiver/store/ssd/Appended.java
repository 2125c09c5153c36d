package io.quiver.store.ssd;

/** What became of an attempt to append a record. */
sealed interface Appended {
  /** It lies there and has been published. */
  record At(long location) implements Appended {}

  /** There is no room now, but collecting garbage in this directory may make some. */
  record Full(StoreDirectory directory) implements Appended {}

  /** What can be read takes all the room there is. */
  record NoRoom() implements Appended {}

  /** The disks did not take it. */
  record Failed() implements Appended {}
}
