package io.quiver.client.loader;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Listens to the warnings of a class instead of the console. */
final class Said implements AutoCloseable {
  private final Logger logger;
  private final @Nullable Level before;
  private final ListAppender<ILoggingEvent> said = new ListAppender<>();

  private Said(Logger logger) {
    this.logger = logger;
    this.before = logger.getLevel();
    said.start();
    logger.setLevel(Level.WARN);
    logger.setAdditive(false);
    logger.addAppender(said);
  }

  static Said by(Class<?> type) {
    return new Said((Logger) LoggerFactory.getLogger(type));
  }

  List<String> warnings() {
    return List.copyOf(said.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Override
  public void close() {
    logger.detachAppender(said);
    logger.setAdditive(true);
    logger.setLevel(before);
  }
}
