package io.quiver.gateway.s3.message;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads documents that clients send. Document types and entities of their own are refused, nothing
 * outside is ever opened, and depth and number of elements are bounded.
 */
public final class XmlDocument {
  private static final int MAX_DEPTH = 8;
  private static final int MAX_ELEMENTS = 100_000;
  private static final XMLInputFactory FACTORY = factory();

  private XmlDocument() {}

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    return factory;
  }

  /**
   * An element with its text and its children.
   *
   * @param name without its namespace
   * @param text all text directly in it
   */
  public record Element(String name, String text, List<Element> children) {
    /** Returns the text of the first child of this name; empty without one. */
    public String child(String wanted) {
      return children.stream()
          .filter(child -> child.name.equals(wanted))
          .map(Element::text)
          .findFirst()
          .orElse("");
    }

    /** Returns the children of this name. */
    public List<Element> children(String wanted) {
      return children.stream().filter(child -> child.name.equals(wanted)).toList();
    }
  }

  /** Reads a document whose root has this name. */
  public static Element parse(byte[] bytes, String root) throws S3Failure {
    try {
      XMLStreamReader reader = FACTORY.createXMLStreamReader(new ByteArrayInputStream(bytes));
      try {
        int event = reader.next();
        while (event == XMLStreamConstants.COMMENT
            || event == XMLStreamConstants.SPACE
            || event == XMLStreamConstants.PROCESSING_INSTRUCTION) {
          event = reader.next();
        }
        if (event != XMLStreamConstants.START_ELEMENT || !reader.getLocalName().equals(root)) {
          throw malformed("its root must be " + root);
        }
        Element element = element(reader, 1, new int[1]);
        while (reader.hasNext()) {
          reader.next();
        }
        return element;
      } finally {
        reader.close();
      }
    } catch (XMLStreamException | RuntimeException e) {
      throw malformed("it is not well formed");
    }
  }

  private static Element element(XMLStreamReader reader, int depth, int[] elements)
      throws XMLStreamException, S3Failure {
    if (depth > MAX_DEPTH || ++elements[0] > MAX_ELEMENTS) {
      throw malformed("it is too deep or too long");
    }
    String name = reader.getLocalName();
    StringBuilder text = new StringBuilder();
    List<Element> children = new ArrayList<>();
    while (true) {
      switch (reader.next()) {
        case XMLStreamConstants.START_ELEMENT -> children.add(element(reader, depth + 1, elements));
        case XMLStreamConstants.END_ELEMENT -> {
          return new Element(name, text.toString(), children);
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
            text.append(reader.getText());
        case XMLStreamConstants.COMMENT, XMLStreamConstants.PROCESSING_INSTRUCTION -> {}
        default -> throw malformed("it has a document type or entities");
      }
    }
  }

  private static S3Failure malformed(String why) {
    return S3Failure.of(
        S3Code.MALFORMED_XML,
        "The XML you provided was not well-formed or did not validate against our published"
            + " schema: "
            + why);
  }
}
