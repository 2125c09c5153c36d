package io.quiver.djl;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Checks the dependencies of the data set. */
class ArchitectureTest {
  private static final JavaClasses OWN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.quiver.djl");

  @Test
  void theDataSetUsesTheClientAndNothingOfServersOrCommands() {
    noClasses()
        .that()
        .resideInAPackage("io.quiver.djl")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.quiver.djl.example..",
            "io.quiver.server..",
            "io.quiver.manager..",
            "io.quiver.store..",
            "io.quiver.simulator..",
            "io.quiver.benchmarks..",
            "io.quiver.cli..",
            "io.quiver.node..",
            "ai.djl.pytorch..")
        .check(OWN);
  }
}
