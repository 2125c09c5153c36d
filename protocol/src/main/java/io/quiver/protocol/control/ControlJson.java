package io.quiver.protocol.control;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.MutableCoercionConfig;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.quiver.core.hash.ContentHash;
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
  private static final int MAX_MESSAGE = 300;
  private static final ObjectMapper MAPPER = mapper();

  private ControlJson() {}

  private static ObjectMapper mapper() {
    SimpleModule types = new SimpleModule("quiver");
    types.addSerializer(DatasetKey.class, ToStringSerializer.instance);
    types.addDeserializer(DatasetKey.class, new TextReader<>(DatasetKey.class, DatasetKey::new));
    types.addSerializer(ContentHash.class, new HashWriter());
    types.addDeserializer(
        ContentHash.class, new TextReader<>(ContentHash.class, ContentHash::fromHex));
    types.addSerializer(SpaceId.class, ToStringSerializer.instance);
    types.addDeserializer(SpaceId.class, new TextReader<>(SpaceId.class, SpaceId::new));
    ObjectMapper mapper =
        JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            // A value of another type is a mistake: "NaN" is no number, and 1.5 no count.
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
            .withCoercionConfig(LogicalType.Textual, ControlJson::onlyText)
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

  private static void onlyText(MutableCoercionConfig config) {
    config
        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
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
    } catch (JsonMappingException e) {
      throw new MalformedDocument(field(e) + reason(e), e);
    } catch (JsonProcessingException e) {
      throw new MalformedDocument(shortened(e.getOriginalMessage()) + where(e), e);
    } catch (IOException e) {
      throw new MalformedDocument(String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns the path of the field that is wrong, as far as it was read. */
  private static String field(JsonMappingException e) {
    StringBuilder path = new StringBuilder();
    for (JsonMappingException.Reference each : e.getPath()) {
      if (each.getFieldName() == null) {
        path.append('[').append(each.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(each.getFieldName());
      }
    }
    return path.isEmpty() ? "" : path + ": ";
  }

  /** Returns what a record says of its components, or else what the reader says of the text. */
  private static String reason(JsonMappingException e) {
    return e.getCause() instanceof IllegalArgumentException refused
        ? String.valueOf(refused.getMessage())
        : shortened(e.getOriginalMessage()) + where(e);
  }

  private static String shortened(String message) {
    return message.length() > MAX_MESSAGE ? message.substring(0, MAX_MESSAGE) + "…" : message;
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

  /** Writes a hash whole: only documents for those who may know it have one. */
  private static final class HashWriter extends StdScalarSerializer<ContentHash> {
    private static final long serialVersionUID = 1;

    HashWriter() {
      super(ContentHash.class);
    }

    @Override
    public void serialize(ContentHash hash, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeString(hash.toHex());
    }
  }

  /** Reads a value that is written as one string. */
  private static final class TextReader<T> extends StdScalarDeserializer<T> {
    private static final long serialVersionUID = 1;

    private final transient Function<String, T> parse;

    TextReader(Class<T> type, Function<String, T> parse) {
      super(type);
      this.parse = parse;
    }

    @Override
    public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
      if (!parser.hasToken(JsonToken.VALUE_STRING)) {
        context.reportWrongTokenException(this, JsonToken.VALUE_STRING, "a text is expected");
      }
      return parse.apply(parser.getText());
    }
  }
}
