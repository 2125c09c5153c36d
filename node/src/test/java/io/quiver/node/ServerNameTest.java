package io.quiver.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerNameTest {
  @TempDir private Path folder;

  @Test
  void twoServersThatWereToldNoNameHaveDifferentOnes() throws Exception {
    String one = ServerName.of(List.of(folder.resolve("one")));
    String two = ServerName.of(List.of(folder.resolve("two")));
    assertThat(one).matches("[a-z0-9-]+-[0-9a-f]{8}").isNotEqualTo(two);
  }

  @Test
  void aNameStaysWithTheDataAlsoWhenADiskIsReplaced() throws Exception {
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    String name = ServerName.of(List.of(first, second));
    assertThat(ServerName.of(List.of(first, second))).isEqualTo(name);
    assertThat(ServerName.of(List.of(folder.resolve("new"), second))).isEqualTo(name);
    assertThat(ServerName.of(List.of(folder.resolve("new")))).isEqualTo(name);
  }

  @Test
  void aFileThatHoldsNoNameIsToldWithTheRemedy() throws Exception {
    Files.writeString(folder.resolve("quiver.name"), "a name with blanks");
    assertThatThrownBy(() -> ServerName.of(List.of(folder)))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("quiver.name")
        .hasMessageContaining("--name");
  }
}
