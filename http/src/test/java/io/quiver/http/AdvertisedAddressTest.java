package io.quiver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdvertisedAddressTest {
  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "[::]"})
  void aWildcardIsNeverTold(String wildcard) {
    URI told = AdvertisedAddress.uri("http", Optional.empty(), wildcard, 7401);
    assertThat(AdvertisedAddress.isWildcard(told.getHost())).as(told.toString()).isFalse();
    assertThat(told.getPort()).isEqualTo(7401);
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.7, , http://10.0.0.7:7401",
    "::1, , http://[::1]:7401",
    "0.0.0.0, gpu-7.example, http://gpu-7.example:7401",
    "0.0.0.0, gpu-7.example:9000, http://gpu-7.example:9000",
    "0.0.0.0, fd00::7, http://[fd00::7]:7401",
    "0.0.0.0, [fd00::7], http://[fd00::7]:7401",
    "0.0.0.0, [fd00::7]:9000, http://[fd00::7]:9000",
  })
  void whatWasChosenIsTold(String listen, String advertised, URI told) {
    assertThat(AdvertisedAddress.uri("http", Optional.ofNullable(advertised), listen, 7401))
        .isEqualTo(told);
  }

  @Test
  void theWayToAManagerShowsTheAddressToTell() {
    assertThat(AdvertisedAddress.toward(URI.create("http://127.0.0.1:7400"))).hasValue("127.0.0.1");
  }
}
