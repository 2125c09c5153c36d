package io.quiver.cli;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output.OutputClosed;
import io.quiver.client.loader.LoadException;
import io.quiver.core.dataset.DigestFormatException;
import io.quiver.node.NodeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Turns whatever a command died of into one line and an exit code; the rest only on request. */
final class ExecutionErrors implements IExecutionExceptionHandler {
  private static final int DEEPEST_CAUSE = 16;

  private final Console console;

  ExecutionErrors(Console console) {
    this.console = console;
  }

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
    Exception e = unwrapped(failure);
    if (e instanceof OutputClosed) {
      return ExitCode.FAILED.code();
    }
    console.error(line(e));
    if (verbose(parsed)) {
      e.printStackTrace(console.err());
    }
    return exit(e).code();
  }

  private static Exception unwrapped(Exception failure) {
    return failure instanceof UncheckedIOException wrapped && wrapped.getCause() != null
        ? wrapped.getCause()
        : failure;
  }

  private static boolean verbose(ParseResult parsed) {
    return parsed.originalArgs().stream()
        .anyMatch(argument -> Arrays.asList("-v", "--verbose").contains(argument));
  }

  private static ExitCode exit(Exception e) {
    return switch (e) {
      case CommandFailure failure -> failure.exit();
      case NodeException node ->
          node.kind() == NodeException.Kind.UNREACHABLE ? ExitCode.UNREACHABLE : ExitCode.FAILED;
      case IllegalArgumentException _ -> ExitCode.USAGE;
      case DigestFormatException _, BenchmarkException _ -> ExitCode.FAILED;
      case NoSuchFileException _ -> ExitCode.NOT_FOUND;
      case LoadException load when load.getCause() instanceof LoadException cause -> exit(cause);
      case LoadException load when load.getCause() instanceof NoSuchFileException ->
          ExitCode.NOT_FOUND;
      default -> fromUnreachable(e) ? ExitCode.UNREACHABLE : ExitCode.FAILED;
    };
  }

  /** Returns true if the failure, or a cause of it, is that nobody answered. */
  private static boolean fromUnreachable(Exception e) {
    Throwable cause = e;
    for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
      if (cause instanceof ConnectException
          || cause instanceof NoRouteToHostException
          || cause instanceof UnknownHostException
          || cause instanceof SocketTimeoutException
          || cause instanceof HttpTimeoutException) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private static String line(Exception e) {
    String message = e.getMessage();
    return switch (e) {
      case CommandFailure _, NodeException _, LoadException _ -> String.valueOf(message);
      case IllegalArgumentException _ when message != null -> message;
      case DigestFormatException _, BenchmarkException _ -> String.valueOf(message);
      case NoSuchFileException _ -> "no such file: " + message;
      case AccessDeniedException _ -> "not allowed to use " + message;
      case UnknownHostException _ -> "unknown host: " + message;
      case IOException _ when message != null -> message;
      default ->
          "unexpected error: " + e + "; run the same with --verbose and report what it shows";
    };
  }
}
