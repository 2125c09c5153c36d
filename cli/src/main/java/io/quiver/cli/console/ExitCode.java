package io.quiver.cli.console;

import java.util.LinkedHashMap;
import java.util.Map;

/** Every status the command ends with; scripts rely on these numbers, so they never change. */
public enum ExitCode {
  /** Done. */
  OK(0, "done"),
  /** The work was tried and failed, or what was compared differs. */
  FAILED(1, "failed, refused, or what was compared differs"),
  /** The command line makes no sense. */
  USAGE(2, "wrong usage: an unknown command or option, or an invalid value"),
  /** Nobody answers where a server or a store should be. */
  UNREACHABLE(3, "a cache server or a remote store cannot be reached"),
  /** The blob, space or file that was asked for is not there. */
  NOT_FOUND(4, "not found: a blob that is not cached, or a missing file"),
  /** The ledgers of a job do not prove that every item came exactly once. */
  NOT_EXACTLY_ONCE(5, "items are missing or came twice in an epoch of a ledger");

  private final int code;
  private final String meaning;

  ExitCode(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  /** Returns the number the process ends with. */
  public int code() {
    return code;
  }

  /** Returns one line for the help. */
  public String meaning() {
    return meaning;
  }

  /** Number to meaning, in order, as the help prints it. */
  public static Map<String, String> table() {
    Map<String, String> table = new LinkedHashMap<>();
    for (ExitCode exit : values()) {
      table.put(Integer.toString(exit.code), exit.meaning);
    }
    return table;
  }
}
