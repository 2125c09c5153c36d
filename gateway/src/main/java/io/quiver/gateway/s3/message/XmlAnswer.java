package io.quiver.gateway.s3.message;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.jspecify.annotations.Nullable;

/** Writes a document as S3 writes it. Characters that XML 1.0 forbids become references. */
public final class XmlAnswer {
  /** The type that answers state. */
  public static final String CONTENT_TYPE = "application/xml";

  private static final String NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";
  private static final XMLOutputFactory FACTORY = XMLOutputFactory.newDefaultFactory();

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
  private final XMLStreamWriter writer;

  /** Begins a document with S3's namespace. */
  public static XmlAnswer of(String root) {
    return new XmlAnswer(root, NAMESPACE);
  }

  /** Begins a document without a namespace, as errors are. */
  public static XmlAnswer plain(String root) {
    return new XmlAnswer(root, null);
  }

  private XmlAnswer(String root, @Nullable String namespace) {
    try {
      writer = FACTORY.createXMLStreamWriter(bytes, StandardCharsets.UTF_8.name());
      writer.writeStartDocument(StandardCharsets.UTF_8.name(), "1.0");
      writer.writeStartElement(root);
      if (namespace != null) {
        writer.writeDefaultNamespace(namespace);
      }
    } catch (XMLStreamException e) {
      throw impossible(e);
    }
  }

  /** Writes an element with text; nothing for null. */
  public XmlAnswer element(String name, @Nullable String text) {
    if (text != null) {
      try {
        writer.writeStartElement(name);
        writeText(text);
        writer.writeEndElement();
      } catch (XMLStreamException e) {
        throw impossible(e);
      }
    }
    return this;
  }

  /** Writes text into the element opened last. */
  public XmlAnswer text(String text) {
    try {
      writeText(text);
    } catch (XMLStreamException e) {
      throw impossible(e);
    }
    return this;
  }

  /** Opens an element, which {@link #close} ends. */
  public XmlAnswer open(String name) {
    try {
      writer.writeStartElement(name);
    } catch (XMLStreamException e) {
      throw impossible(e);
    }
    return this;
  }

  /** Ends the element opened last. */
  public XmlAnswer close() {
    try {
      writer.writeEndElement();
    } catch (XMLStreamException e) {
      throw impossible(e);
    }
    return this;
  }

  /** Writes the one owner that all buckets and objects have. */
  public XmlAnswer owner(String element) {
    return open(element).element("ID", "quiver").element("DisplayName", "quiver").close();
  }

  /** Ends the document and returns it. */
  public byte[] bytes() {
    try {
      writer.writeEndDocument();
      writer.close();
    } catch (XMLStreamException e) {
      throw impossible(e);
    }
    return bytes.toByteArray();
  }

  private void writeText(String text) throws XMLStreamException {
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ((c < ' ' && c != '\t' && c != '\n') || c >= 0xfffe) {
        writer.writeCharacters(text.substring(from, i));
        writer.writeEntityRef("#x" + Integer.toHexString(c));
        from = i + 1;
      }
    }
    writer.writeCharacters(text.substring(from));
  }

  private static IllegalStateException impossible(XMLStreamException e) {
    return new IllegalStateException("a document in memory can always be written", e);
  }
}
