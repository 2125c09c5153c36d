package io.quiver.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens, gives each connection a thread, and ends them all when closed. A connection beyond the
 * bound takes the place of one that asks nothing, or is turned away.
 *
 * <p>The first connections of a data server are served by threads of the operating system: it wakes
 * them itself where a virtual thread is woken by a poller and then by a carrier, and it divides the
 * processors among them while a long answer is being sent. Further connections cost little on
 * virtual threads.
 */
public final class HttpServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
  private static final int BACKLOG = 1024;
  private static final Duration JOIN = Duration.ofMillis(20);
  private static final Duration ACCEPT_PAUSE = Duration.ofMillis(50);

  /**
   * Heap that a connection may take before its request is known: a buffer, a line of a head that
   * does not end, and with TLS a few records.
   */
  private static final long PLAIN_BYTES = 64 << 10;

  private static final long TLS_BYTES = 160 << 10;
  private static final byte[] TURNED_AWAY = turnedAway();

  /**
   * The settings of a server.
   *
   * @param address where to listen
   * @param maxConnections how many are served at once, at most; fewer where the heap is small
   * @param platformThreads how many of them have a thread of the operating system
   * @param timeouts how long each phase of a connection may take
   * @param closeGrace how long requests under way may go on when the server closes
   * @param tls certificates, or null for plain HTTP
   * @param nanoTime the clock
   */
  public record Setup(
      InetSocketAddress address,
      int maxConnections,
      int platformThreads,
      RequestTimeouts.Limits timeouts,
      Duration closeGrace,
      @Nullable ServerTls tls,
      LongSupplier nanoTime) {}

  private final Setup setup;
  private final RequestHandler handler;
  private final TrafficListener traffic;
  private final DirectBuffers pool;
  private final ServerSocketChannel listener;
  private final InetSocketAddress address;
  private final Set<ServedConnection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicLong numbers = new AtomicLong();
  private final int maxConnections;
  private final Semaphore largeHeads;
  private final TimeoutWatch timeoutWatch;
  private final Thread acceptor;

  /**
   * Binds and starts to serve.
   *
   * @param pressure true while requests wait for bytes that a caller's stalled connections may hold
   */
  public HttpServer(
      Setup setup,
      Predicate<String> pressure,
      DirectBuffers pool,
      RequestHandler handler,
      TrafficListener traffic)
      throws IOException {
    this.setup = setup;
    this.handler = handler;
    this.traffic = traffic;
    this.pool = pool;
    this.maxConnections = maxConnections(setup, Runtime.getRuntime().maxMemory());
    this.largeHeads = new Semaphore(Math.max(8, maxConnections / 16));
    this.listener = bind(setup.address);
    this.address = (InetSocketAddress) listener.getLocalAddress();
    this.timeoutWatch =
        new TimeoutWatch(connections, pressure, setup.nanoTime, watchInterval(setup));
    this.acceptor = Thread.ofPlatform().daemon().name("quiver-acceptor").unstarted(this::accept);
    acceptor.start();
  }

  /** Returns as many connections as are wanted and as their heads cannot fill the heap with. */
  static int maxConnections(Setup setup, long heapBytes) {
    long each = setup.tls == null ? PLAIN_BYTES : TLS_BYTES;
    return Math.clamp(heapBytes / each, 1, setup.maxConnections);
  }

  /** Returns where it listens, with the port the system chose. */
  public InetSocketAddress address() {
    return address;
  }

  /** Returns how many connections are open now. */
  public int connections() {
    return connections.size();
  }

  /** Stops listening, waits a little for requests under way and cuts the rest. */
  @Override
  public void close() throws IOException {
    listener.close();
    awaitEnd(acceptor);
    long deadline = System.nanoTime() + setup.closeGrace.toNanos();
    while (!connections.isEmpty() && System.nanoTime() < deadline) {
      connections.stream()
          .filter(connection -> connection.timeouts.idle())
          .forEach(ServedConnection::close);
      connections.stream().findAny().ifPresent(ServedConnection::join);
    }
    connections.forEach(ServedConnection::end);
    connections.forEach(ServedConnection::join);
    timeoutWatch.close();
  }

  private static ServerSocketChannel bind(InetSocketAddress address) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      channel.bind(address, BACKLOG);
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw new IOException(
          "cannot listen on " + address + " (" + e.getMessage() + "); is the port taken?", e);
    }
  }

  /** Returns half of the shortest timeout, between 5 ms and a second. */
  private static Duration watchInterval(Setup setup) {
    return Duration.ofMillis(Math.clamp(setup.timeouts.shortest().toMillis() / 2, 5, 1000));
  }

  private void accept() {
    while (listener.isOpen()) {
      try {
        serve(listener.accept());
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        LOG.warn("cannot accept a connection: {}", e.getMessage());
        pause();
      }
    }
  }

  /** Waits for file descriptors to come back, which most likely have run out. */
  private static void pause() {
    try {
      Thread.sleep(ACCEPT_PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits a moment for a thread; one that was never started has ended already. */
  private static void awaitEnd(Thread thread) {
    try {
      if (thread.getState() != Thread.State.NEW) {
        thread.join(JOIN);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void serve(SocketChannel channel) throws IOException {
    if (connections.size() >= maxConnections && !makePlace()) {
      turnAway(channel);
      return;
    }
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    ServedConnection connection =
        new ServedConnection(channel, connections.size() < setup.platformThreads);
    connections.add(connection);
    if (!listener.isOpen()) { // closed meanwhile, maybe after it looked for connections
      connections.remove(connection);
      channel.close();
      return;
    }
    traffic.accepted();
    connection.start();
  }

  /**
   * Closes the connection that has asked nothing for the longest, of the caller that has the most
   * such connections; returns false if all are being served. One that ends by itself meanwhile
   * leaves its place, too.
   */
  private boolean makePlace() {
    long now = setup.nanoTime.getAsLong();
    Map<String, Integer> waiting = new HashMap<>();
    for (ServedConnection connection : connections) {
      if (connection.timeouts.waitedNanos(now) >= 0) {
        waiting.merge(connection.caller, 1, Integer::sum);
      }
    }
    return connections.stream()
        .filter(connection -> connection.timeouts.waitedNanos(now) >= 0)
        .max(
            Comparator.<ServedConnection>comparingInt(
                    connection -> waiting.getOrDefault(connection.caller, 0))
                .thenComparingLong(connection -> connection.timeouts.waitedNanos(now)))
        .map(ServedConnection::giveWay)
        .isPresent();
  }

  private void turnAway(SocketChannel channel) throws IOException {
    traffic.turnedAway();
    try (channel) {
      if (setup.tls == null) {
        channel.configureBlocking(false);
        int sent = channel.write(ByteBuffer.wrap(TURNED_AWAY));
        LOG.debug("turned a connection away with {} bytes", sent);
      }
    }
  }

  private static byte[] turnedAway() {
    String json =
        "{\"error\":\"the server has as many connections as it allows\","
            + "\"remedy\":\"close some, or try again after the time in Retry-After\"}\n";
    return ("HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: "
            + json.length()
            + "\r\nRetry-After: 1\r\nConnection: close\r\n\r\n"
            + json)
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** Serves one connection on a thread of its own. */
  private final class ServedConnection implements TimeoutWatch.TimedConnection {
    private final SocketChannel channel;
    private final String caller;
    private final RequestTimeouts timeouts = new RequestTimeouts(setup.timeouts, setup.nanoTime);
    private final Thread thread;

    ServedConnection(SocketChannel channel, boolean platform) throws IOException {
      this.channel = channel;
      this.caller = CallerAddress.of(channel.getRemoteAddress());
      Thread.Builder builder = platform ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
      this.thread =
          builder.name("quiver-connection-" + numbers.incrementAndGet()).unstarted(this::run);
    }

    private void start() throws IOException {
      try {
        thread.start();
      } catch (OutOfMemoryError e) { // what Java calls a system that has no more threads
        connections.remove(this);
        channel.close();
        throw new IOException("the system has no thread for it", e);
      }
    }

    private void run() {
      try (channel) {
        new RequestLoop(
                transport(), caller, timeouts, pool, handler, traffic, largeHeads, setup.nanoTime)
            .serve();
      } catch (IOException e) {
        LOG.debug("a connection ended: {}", e.toString());
      } catch (RuntimeException | Error e) {
        LOG.error("a connection failed inside the server", e);
      } finally {
        connections.remove(this);
      }
    }

    private Transport transport() throws IOException {
      ServerTls tls = setup.tls;
      return tls == null
          ? new PlainTransport(channel, timeouts)
          : new TlsTransport(channel, tls, timeouts);
    }

    @Override
    public RequestTimeouts timeouts() {
      return timeouts;
    }

    @Override
    public String caller() {
      return caller;
    }

    /** Leaves its place to another connection. */
    private ServedConnection giveWay() {
      cut();
      connections.remove(this);
      return this;
    }

    @Override
    public void cut() {
      if (channel.isOpen()) {
        traffic.cut();
        close();
      }
    }

    private void close() {
      try {
        channel.close();
      } catch (IOException e) {
        LOG.debug("closing a connection: {}", e.toString());
      }
    }

    /** Ends it even if its handler waits for something. */
    private void end() {
      close();
      thread.interrupt();
    }

    private void join() {
      awaitEnd(thread);
    }
  }
}
