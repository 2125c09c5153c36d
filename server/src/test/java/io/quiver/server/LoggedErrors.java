package io.quiver.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** Collects what is logged as an error below a name: the server's word that it failed inside. */
final class LoggedErrors extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final Logger logger;
  private final Queue<String> messages = new ConcurrentLinkedQueue<>();

  LoggedErrors(String name) {
    logger = (Logger) LoggerFactory.getLogger(name);
    start();
    logger.addAppender(this);
  }

  List<String> messages() {
    return List.copyOf(messages);
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(Level.ERROR)) {
      messages.add(event.getFormattedMessage());
    }
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    stop();
  }
}
