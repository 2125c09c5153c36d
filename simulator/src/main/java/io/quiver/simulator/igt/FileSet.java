package io.quiver.simulator.igt;

import io.quiver.core.stream.ListedPage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The files of a data set, all equally long, in directories that have equally many. Names and
 * blocks follow from numbers, so that a set of millions of files takes no memory. Blocks are
 * numbered through all files in the order of their names.
 */
public final class FileSet {
  /** Length of a block: doors and JuiceFS both cut files so. */
  public static final int BLOCK_BYTES = 4 << 20;

  private static final int DIGITS = 7;
  private static final int SET_SHIFT = 40;

  private final int number;
  private final String root;
  private final int files;
  private final long fileBytes;
  private final int blocks;
  private final String[] directories;
  private final int perDirectory;

  /**
   * Describes a set.
   *
   * @param number tells it from all others
   * @param root the directory above all of it
   * @param directories number of directories below the root; 0 if the root has the files itself
   * @param files number of files in all
   */
  FileSet(int number, String root, int directories, int files, long fileBytes) {
    if (files < 1 || fileBytes < 1 || directories < 0 || directories > files) {
      throw new IllegalArgumentException(
          root + ": " + files + " files of " + fileBytes + " bytes in " + directories + " folders");
    }
    this.number = number;
    this.root = root;
    this.files = files;
    this.fileBytes = fileBytes;
    this.blocks = Math.toIntExact((fileBytes + BLOCK_BYTES - 1) / BLOCK_BYTES);
    this.perDirectory = directories == 0 ? files : (files + directories - 1) / directories;
    int used = (files + perDirectory - 1) / perDirectory;
    this.directories = new String[directories == 0 ? 1 : used];
    for (int i = 0; i < this.directories.length; i++) {
      this.directories[i] = directories == 0 ? root : root + "/" + digits('d', i);
    }
  }

  private static String digits(char prefix, int value) {
    char[] text = new char[DIGITS + 1];
    int rest = value;
    for (int at = DIGITS; at > 0; at--) {
      text[at] = (char) ('0' + rest % 10);
      rest /= 10;
    }
    text[0] = prefix;
    return new String(text);
  }

  /** Returns the directory above all of it. */
  public String root() {
    return root;
  }

  /** Returns the number of files. */
  public int files() {
    return files;
  }

  /** Returns the number of files in a directory. */
  int perDirectory() {
    return perDirectory;
  }

  /** Returns the bytes of all files. */
  public long bytes() {
    return files * fileBytes;
  }

  /** Returns the number of blocks of a file. */
  int blocksOfFile() {
    return blocks;
  }

  /** Returns the number of all blocks. */
  int blocks() {
    return Math.multiplyExact(files, blocks);
  }

  /** Returns the length of a block. */
  int bytes(int block) {
    int inFile = block % blocks;
    return (int) Math.min(BLOCK_BYTES, fileBytes - (long) inFile * BLOCK_BYTES);
  }

  /** Returns the path of the file of a block. */
  String path(int block) {
    int file = block / blocks;
    return directories[file / perDirectory] + "/" + digits('f', file % perDirectory);
  }

  /** Returns the number of a block in its file. */
  int inFile(int block) {
    return block % blocks;
  }

  /** Returns a name of a block that no block of another set has. */
  long key(int block) {
    return (long) number << SET_SHIFT | block;
  }

  /** Returns the block of a file by its path, or -1 if there is none. */
  int find(String path, int inFile) {
    int slash = path.lastIndexOf('/');
    int directory =
        directories.length == 1 ? 0 : parsed(path.substring(0, Math.max(0, slash)), 'd');
    int file = parsed(path, 'f');
    if (directory < 0 || directory >= directories.length || file < 0 || file >= perDirectory) {
      return -1;
    }
    long block = ((long) directory * perDirectory + file) * blocks + inFile;
    boolean known = inFile >= 0 && inFile < blocks && block < blocks();
    return known && path((int) block).equals(path) ? (int) block : -1;
  }

  private static int parsed(String path, char prefix) {
    int from = path.lastIndexOf('/') + 1;
    if (path.length() - from != DIGITS + 1 || path.charAt(from) != prefix) {
      return -1;
    }
    int value = 0;
    for (int at = from + 1; at < path.length(); at++) {
      int digit = path.charAt(at) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = 10 * value + digit;
    }
    return value;
  }

  /** Hears of listings. */
  @FunctionalInterface
  interface Lister {
    /** Hears what a directory holds. */
    void listed(String directory, ListedPage page);
  }

  /**
   * Lists the set as a program does that wants to know its files.
   *
   * @param deep false to list only what is in the root
   */
  void list(Lister lister, boolean deep) {
    if (!directories[0].equals(root)) {
      List<String> names = new ArrayList<>();
      for (int i = 0; i < directories.length; i++) {
        names.add(digits('d', i));
      }
      lister.listed(root, page(names, -1));
    }
    for (int i = 0; i < directories.length && (deep || directories[0].equals(root)); i++) {
      int count = Math.min(perDirectory, files - i * perDirectory);
      List<String> names = new ArrayList<>();
      for (int file = 0; file < count; file++) {
        names.add(digits('f', file));
      }
      lister.listed(directories[i], page(names, fileBytes));
    }
  }

  private static ListedPage page(List<String> names, long bytes) {
    long[] lengths = Collections.nCopies(names.size(), bytes).stream().mapToLong(b -> b).toArray();
    return new ListedPage(names, lengths, true, true);
  }

  @Override
  public String toString() {
    return root;
  }
}
