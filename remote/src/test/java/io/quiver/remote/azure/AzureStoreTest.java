package io.quiver.remote.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.models.BlobHttpHeaders;
import com.azure.storage.blob.models.PublicAccessType;
import com.azure.storage.blob.sas.BlobContainerSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import io.quiver.remote.AzureConfig;
import io.quiver.remote.FirstBytes;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.RemoteStoreContract;
import io.quiver.remote.Secret;
import io.quiver.remote.open.RemoteStores;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An Azure Blob service. */
final class AzureStoreTest extends RemoteStoreContract {
  @TempDir static Path data;
  private @Nullable AzuriteServer started;

  @BeforeAll
  void start() throws Exception {
    started = AzuriteServer.start(data);
  }

  @AfterAll
  void stop() {
    if (started != null) {
      started.close();
    }
  }

  private AzuriteServer server() {
    return Objects.requireNonNull(started);
  }

  @Override
  protected RemoteStore filled(String folder, Map<String, byte[]> objects) throws Exception {
    server().putAll(folder, objects);
    return RemoteStores.open("az://container/" + folder, server().config());
  }

  @Override
  protected void replace(String folder, String name, byte[] bytes) {
    server().put(folder + name, bytes);
  }

  /** The emulator takes the first character of a longer delimiter. */
  @Override
  protected List<String> delimiters() {
    return List.of("", "/", "a");
  }

  @Override
  protected void delete(String folder, String name) {
    server().container().getBlobClient(folder + name).delete();
  }

  @Test
  void wrongKeysAreRefusedWithARemedyAndWithoutTheKey() throws Exception {
    server().put("guarded/x", new byte[10]);
    String wrong = "d3Jvbmcga2V5IHdyb25nIGtleSB3cm9uZyBrZXkh";
    try (RemoteStore store =
        RemoteStores.open("az://container/guarded/", server().config(Secret.of(wrong)))) {
      assertThatThrownBy(() -> store.stat("x"))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("account key")
          .hasMessageNotContaining(wrong);
    }
  }

  @Test
  void sharedAccessSignaturesAccountKeysAndPublicContainersWork() throws Exception {
    server().put("access/x", "hello".getBytes(StandardCharsets.UTF_8));
    server().container().setAccessPolicy(PublicAccessType.CONTAINER, null);
    String signature =
        server()
            .container()
            .generateSas(
                new BlobServiceSasSignatureValues(
                    OffsetDateTime.now(ZoneOffset.UTC).plusHours(1),
                    new BlobContainerSasPermission()
                        .setReadPermission(true)
                        .setListPermission(true)));
    AzureConfig here = AzureConfig.DEFAULT.withEndpoint(URI.create(server().endpoint()));
    for (AzureConfig azure :
        new AzureConfig[] {
          here.withSasToken(Secret.of(signature)),
          here.withAccount(AzuriteServer.ACCOUNT).withAccountKey(server().key()),
          here.withAnonymous(true)
        }) {
      RemoteConfig config = RemoteConfig.DEFAULT.withAzure(azure);
      assertThat(config.toString())
          .doesNotContain(signature)
          .doesNotContain(server().key().reveal());
      try (RemoteStore object = RemoteStores.open("az://container/access/x", config);
          RemoteStore folder = RemoteStores.open("az://container/access", config)) {
        assertThat(stream(object, "x", 0, -1)).asString().isEqualTo("hello");
        assertThat(folder.list("")).extracting(RemoteObject::name).containsExactly("x");
      }
    }
  }

  @Test
  void missingCredentialsAreNamed() {
    assertThatThrownBy(() -> AzureStores.connect("c", RemoteConfig.DEFAULT, Map.of()))
        .hasMessageContaining("AZURE_STORAGE_ACCOUNT");
    assertThatThrownBy(() ->
            AzureStores.connect("c", RemoteConfig.DEFAULT, Map.of("AZURE_STORAGE_ACCOUNT", "a")))
        .hasMessageContaining("AZURE_STORAGE_KEY");
  }

  @Test
  void contentTypeAndMetadataComeFromLookupsAndFromFirstBytes() throws Exception {
    server().put("told/x", new byte[] {1, 2});
    BlobClient blob = server().container().getBlobClient("told/x");
    blob.setHttpHeaders(new BlobHttpHeaders().setContentType("image/png"));
    blob.setMetadata(Map.of("Camera", "old"));
    server().put("told/folder", new byte[0]);
    server().container().getBlobClient("told/folder").setMetadata(Map.of("hdi_isfolder", "true"));
    try (RemoteStore store = RemoteStores.open("az://container/told/", server().config());
        FirstBytes first = store.first("x", 1)) {
      assertThat(store.details("x").contentType()).isEqualTo("image/png");
      assertThat(store.details("x").metadata()).containsExactly(Map.entry("camera", "old"));
      assertThat(first.details()).isEqualTo(store.details("x"));
      assertThat(store.page(ListingRequest.all("")).objects())
          .as("without the blob that stands for a folder")
          .containsExactly(store.stat("x"));
    }
  }

  @Test
  void hostileNamesAreTakenAsTheyAre() throws Exception {
    for (String name : List.of("a/%2e%2e/b", "100%", "a//b", "n".repeat(900), "x/..y/z")) {
      server().put("hostile/" + name, name.getBytes(StandardCharsets.UTF_8));
      try (RemoteStore store = RemoteStores.open("az://container/hostile/", server().config())) {
        RemoteObject object = store.details(name).object();
        ByteBuffer target = ByteBuffer.allocate((int) object.size());
        store.read(object, 0, target);
        assertThat(new String(target.array(), StandardCharsets.UTF_8)).isEqualTo(name);
      }
    }
  }
}
