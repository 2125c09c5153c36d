package io.quiver.protocol.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.space.SpaceId;
import java.io.IOException;
import java.util.function.Function;

/**
 * Writes and reads heartbeats and plans: snake_case names, enums in lower case when read and upper
 * case when written, unknown fields ignored so that old and new parts understand each other.
 */
public final class ControlJson {
  /** Longest document anybody need accept. */
  public static final int MAX_BYTES = 4 << 20;

  private static final int MAX_DEPTH = 16;
  private static final ObjectMapper MAPPER = mapper();

  private ControlJson() {}

  private static ObjectMapper mapper() {
    SimpleModule types = new SimpleModule("quiver");
    types.addSerializer(DatasetKey.class, ToStringSerializer.instance);
    types.addDeserializer(DatasetKey.class, new TextReader<>(DatasetKey.class, DatasetKey::new));
    types.addSerializer(SpaceId.class, ToStringSerializer.instance);
    types.addDeserializer(SpaceId.class, new TextReader<>(SpaceId.class, SpaceId::new));
    ObjectMapper mapper =
        JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .addModule(types)
            .build();
    mapper
        .getFactory()
        .setStreamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(MAX_DEPTH)
                .maxDocumentLength(MAX_BYTES)
                .build());
    return mapper;
  }

  /** Returns a document as bytes. */
  public static byte[] write(Object document) {
    try {
      return MAPPER.writeValueAsBytes(document);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("cannot be written: " + document.getClass(), e);
    }
  }

  /**
   * Returns a document from bytes.
   *
   * @throws MalformedDocument when the bytes are no such document; the message says where
   */
  public static <T> T read(byte[] json, Class<T> type) throws MalformedDocument {
    try {
      T document = MAPPER.readValue(json, type);
      if (document == null) {
        throw new MalformedDocument("a document is expected, not null", null);
      }
      return document;
    } catch (JsonProcessingException e) {
      throw new MalformedDocument(e.getOriginalMessage() + where(e), e);
    } catch (IOException e) {
      throw new MalformedDocument(String.valueOf(e.getMessage()), e);
    }
  }

  private static String where(JsonProcessingException e) {
    return e.getLocation() == null
        ? ""
        : " (line "
            + e.getLocation().getLineNr()
            + ", column "
            + e.getLocation().getColumnNr()
            + ")";
  }

  /** Reads a value that is written as one string. */
  private static final class TextReader<T> extends FromStringDeserializer<T> {
    private static final long serialVersionUID = 1;

    private final transient Function<String, T> parse;

    TextReader(Class<T> type, Function<String, T> parse) {
      super(type);
      this.parse = parse;
    }

    @Override
    protected T _deserialize(String value, DeserializationContext context) {
      return parse.apply(value);
    }
  }
}
