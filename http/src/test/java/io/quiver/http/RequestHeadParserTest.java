package io.quiver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RequestHeadParserTest {

  @Test
  void aPeerThatEndsAfterEmptyLinesHasNoMoreRequests() throws Exception {
    for (String text : new String[] {"", "\r\n", "\n\n", "\r\n\r\n"}) {
      assertThat(parse(text)).as("after %s characters", text.length()).isNull();
    }
  }

  @Test
  void emptyLinesBeforeARequestAreSkipped() throws Exception {
    ClassicHttpRequest head = parse("\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(head).isNotNull().extracting(ClassicHttpRequest::getMethod).isEqualTo("GET");
  }

  @Test
  void aHeadThatBreaksOffIsNoRequest() {
    assertThatThrownBy(() -> parse("GET /healthz HTTP/1.1\r\nHos")).isInstanceOf(Exception.class);
  }

  private static @Nullable ClassicHttpRequest parse(String text) throws IOException, Refusal {
    return new RequestHeadParser()
        .parse(
            new SessionInputBufferImpl(1024),
            new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)));
  }
}
