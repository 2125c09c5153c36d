package io.quiver.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.PathPreference;
import io.quiver.manager.CacheManager;
import io.quiver.manager.ManagerConfig;
import io.quiver.manager.PreferenceStore;
import io.quiver.manager.Refused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operators' preferences outlive the manager. */
final class PreferenceFileTest {
  private static final DatasetKey KEY = new DatasetKey("0123456789abcdef");
  private static final PathPreference PIN = new PathPreference(CachePreference.PIN, 90.5);
  private static final CachePreferences SOME =
      CachePreferences.NONE
          .with(KEY, CachePreference.NEVER)
          .withQuota(KEY, 5L)
          .withUserQuota("alice", 1L << 40)
          .withPath("s3://b/train", PIN);

  @TempDir private Path folder;

  private CacheManager start(CachePreferences fromCommandLine) throws IOException {
    return CacheManager.start(
        ManagerConfig.DEFAULT.withPreferences(fromCommandLine), new PreferenceFile(folder));
  }

  @Test
  void whatWasWantedCountsAfterARestart() throws Exception {
    try (CacheManager manager = start(CachePreferences.NONE)) {
      manager.preference(before -> SOME);
    }
    try (CacheManager manager = start(CachePreferences.NONE)) {
      assertThat(manager.preferences()).isEqualTo(SOME);
      manager.preference(before -> before.withPath("s3://b/train", PathPreference.NONE));
    }
    try (CacheManager manager = start(CachePreferences.NONE)) {
      assertThat(manager.preferences().paths()).as("taken back").isEmpty();
      assertThat(manager.preferences().userQuotas()).containsEntry("alice", 1L << 40);
    }
  }

  @Test
  void theCommandLineGoesBeforeWhatWasSavedAndIsSaved() throws Exception {
    try (CacheManager manager = start(SOME)) {
      assertThat(manager.preferences()).isEqualTo(SOME);
    }
    try (CacheManager manager = start(CachePreferences.NONE.with(KEY, CachePreference.PIN))) {
      assertThat(manager.preferences()).isEqualTo(SOME.with(KEY, CachePreference.PIN));
    }
    try (CacheManager manager = start(CachePreferences.NONE)) {
      assertThat(manager.preferences().of(KEY)).isEqualTo(CachePreference.PIN);
    }
  }

  @Test
  void nothingIsWrittenWhileNobodyWantsAnything() throws Exception {
    start(CachePreferences.NONE).close();
    try (var files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void aFileThatIsNoneStopsTheStartAndIsNamed() throws Exception {
    Path file = folder.resolve("preferences.json");
    for (String bad :
        new String[] {"", "{", "[]", "{\"datasets\":{\"x\":\"PIN\"}}", "{\"paths\":{\"p\":{}}}"}) {
      Files.writeString(file, bad);
      assertThatThrownBy(() -> start(CachePreferences.NONE))
          .as(bad)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(file.toString())
          .hasMessageContaining("move it away");
      assertThat(Files.readString(file)).isEqualTo(bad);
    }
  }

  @Test
  void aFileThatWasBeingWrittenWhenTheMachineStoppedDoesNotCount() throws Exception {
    new PreferenceFile(folder).save(SOME);
    Files.writeString(folder.resolve("preferences.json.next"), "{\"datas");
    assertThat(new PreferenceFile(folder).load()).isEqualTo(SOME);
    new PreferenceFile(folder).save(CachePreferences.NONE);
    assertThat(new PreferenceFile(folder).load()).isEqualTo(CachePreferences.NONE);
  }

  @Test
  void whoeverAsksIsToldWhenNothingCanBeSaved() throws Exception {
    PreferenceStore full =
        new PreferenceStore() {
          private boolean started;

          @Override
          public CachePreferences load() {
            return CachePreferences.NONE;
          }

          @Override
          public void save(CachePreferences preferences) throws IOException {
            if (started) {
              throw new IOException("No space left on device");
            }
            started = true;
          }
        };
    try (CacheManager manager = CacheManager.start(ManagerConfig.DEFAULT, full)) {
      assertThatThrownBy(() -> manager.preference(before -> SOME))
          .isInstanceOf(Refused.class)
          .hasMessageContaining("No space left");
      assertThat(manager.preferences()).as("it counts nevertheless").isEqualTo(SOME);
    }
  }
}
