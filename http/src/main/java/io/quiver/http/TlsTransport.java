package io.quiver.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;

/** Carries HTTP through the platform's TLS: payloads are copied into records of up to 16 KiB. */
final class TlsTransport implements Transport {
  private static final int RECORD_BYTES = 16 << 10;
  private static final int DNS_NAME = 2;
  private static final int URI_NAME = 6;

  private final SocketChannel channel;
  private final RequestTimeouts timeouts;
  private final InputStream input;
  private final OutputStream output;
  private final SSLSocket socket;
  private final List<String> certificateNames;
  private final byte[] record = new byte[RECORD_BYTES];
  private int pending;

  /** Shakes hands; the connection's timeouts bound it. */
  TlsTransport(SocketChannel channel, ServerTls tls, RequestTimeouts timeouts) throws IOException {
    this.channel = channel;
    this.timeouts = timeouts;
    this.socket =
        (SSLSocket)
            tls.context().get().getSocketFactory().createSocket(channel.socket(), null, true);
    socket.setUseClientMode(false);
    socket.setWantClientAuth(tls.asksClients());
    timeouts.begin(RequestTimeouts.Phase.HEAD);
    socket.startHandshake();
    this.certificateNames = tls.asksClients() ? names(socket) : List.of();
    this.input = new StampedInput(socket.getInputStream());
    this.output = socket.getOutputStream();
  }

  @Override
  public List<String> certificateNames() {
    return certificateNames;
  }

  private static List<String> names(SSLSocket socket) throws IOException {
    try {
      Certificate[] chain = socket.getSession().getPeerCertificates();
      return chain[0] instanceof X509Certificate own ? names(own) : List.of();
    } catch (SSLPeerUnverifiedException e) {
      return List.of(); // the peer shows no certificate
    } catch (CertificateParsingException | InvalidNameException e) {
      throw new IOException("the client's certificate has names that cannot be read", e);
    }
  }

  /** Returns the common name, then the alternative names that are DNS names or URIs. */
  private static List<String> names(X509Certificate certificate)
      throws CertificateParsingException, InvalidNameException {
    List<String> names = new ArrayList<>();
    for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
      if (part.getType().equalsIgnoreCase("CN")) {
        names.add(part.getValue().toString());
      }
    }
    Collection<List<?>> others = certificate.getSubjectAlternativeNames();
    for (List<?> other : others == null ? List.<List<?>>of() : others) {
      if (other.get(0) instanceof Integer kind
          && (kind == DNS_NAME || kind == URI_NAME)
          && other.get(1) instanceof String name) {
        names.add(name);
      }
    }
    return names;
  }

  @Override
  public InputStream input() {
    return input;
  }

  @Override
  public void write(ByteBuffer[] buffers, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      while (buffers[i].hasRemaining()) {
        int length = Math.min(buffers[i].remaining(), RECORD_BYTES - pending);
        buffers[i].get(record, pending, length);
        pending += length;
        if (pending == RECORD_BYTES) {
          send();
        }
      }
    }
    if (pending > 0) {
      send();
    }
  }

  private void send() throws IOException {
    int length = pending;
    pending = 0;
    output.write(record, 0, length);
    timeouts.moved(length);
  }

  @Override
  public void finish() throws IOException {
    socket.shutdownOutput();
  }

  /** Cuts the connection at once, also while its own thread uses it. */
  @Override
  public void close() throws IOException {
    channel.close();
  }

  private final class StampedInput extends FilterInputStream {
    StampedInput(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = in.read(target, offset, length);
      if (count > 0) {
        timeouts.moved(count);
      }
      return count;
    }
  }
}
