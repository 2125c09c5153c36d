package io.quiver.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Collects what is logged below a name while it is open. */
public final class LogCapture extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final Logger logger;
  private final @Nullable Level before;
  private final boolean additive;
  private final Level least;
  private final Queue<String> messages = new ConcurrentLinkedQueue<>();

  private LogCapture(String name, Level least) {
    this.logger = (Logger) LoggerFactory.getLogger(name);
    this.before = logger.getLevel();
    this.additive = logger.isAdditive();
    this.least = least;
    start();
    logger.addAppender(this);
  }

  /** Collects the warnings and errors of a class, which then do not reach the console. */
  public static LogCapture warnings(Class<?> type) {
    LogCapture capture = new LogCapture(type.getName(), Level.WARN);
    capture.logger.setLevel(Level.WARN);
    capture.logger.setAdditive(false);
    return capture;
  }

  /** Collects the lines of a class from INFO on, which then do not reach the console. */
  public static LogCapture lines(Class<?> type) {
    LogCapture capture = new LogCapture(type.getName(), Level.INFO);
    capture.logger.setLevel(Level.INFO);
    capture.logger.setAdditive(false);
    return capture;
  }

  /** Collects the errors below a package: a program's word that it failed inside. */
  public static LogCapture errors(String name) {
    return new LogCapture(name, Level.ERROR);
  }

  /** Returns the messages so far, in order. */
  public List<String> messages() {
    return List.copyOf(messages);
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(least)) {
      messages.add(event.getFormattedMessage());
    }
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    logger.setAdditive(additive);
    logger.setLevel(before);
    stop();
  }
}
