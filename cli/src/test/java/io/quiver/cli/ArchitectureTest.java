package io.quiver.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The shape of the whole project: dependencies point one way and the core stays pure. */
class ArchitectureTest {
  private static final JavaClasses QUIVER =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.quiver");

  @Test
  void dependenciesBetweenModulesPointOneWay() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("core")
        .definedBy("io.quiver.core..")
        .layer("protocol")
        .definedBy("io.quiver.protocol..")
        .layer("store")
        .definedBy("io.quiver.store..")
        .layer("remote")
        .definedBy("io.quiver.remote..")
        .layer("server")
        .definedBy("io.quiver.server..")
        .layer("client")
        .definedBy("io.quiver.client..")
        .layer("benchmarks")
        .definedBy("io.quiver.benchmarks..")
        .layer("cli")
        .definedBy("io.quiver.cli..")
        .whereLayer("cli")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("benchmarks")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("server")
        .mayOnlyBeAccessedByLayers("benchmarks", "cli")
        .whereLayer("client")
        .mayOnlyBeAccessedByLayers("benchmarks", "cli")
        .whereLayer("remote")
        .mayOnlyBeAccessedByLayers("benchmarks", "cli")
        .whereLayer("store")
        .mayOnlyBeAccessedByLayers("server", "benchmarks", "cli")
        .whereLayer("protocol")
        .mayOnlyBeAccessedByLayers("server", "client", "benchmarks", "cli")
        .whereLayer("core")
        .mayOnlyBeAccessedByLayers(
            "protocol", "store", "remote", "server", "client", "benchmarks", "cli")
        .check(QUIVER);
  }

  @Test
  void noTwoPackagesDependOnEachOther() {
    slices().matching("io.quiver.(**)").should().beFreeOfCycles().check(QUIVER);
  }

  @Test
  void theCoreUsesNothingButTheJdk() {
    classes()
        .that()
        .resideInAPackage("io.quiver.core..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("io.quiver.core..", "java..", "org.jspecify.annotations..")
        .check(QUIVER);
  }

  @Test
  void theCoreTouchesNoFileSocketThreadOrClock() {
    noClasses()
        .that()
        .resideInAPackage("io.quiver.core..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.net..", "java.nio.file..", "java.nio.channels..")
        .orShould()
        .dependOnClassesThat()
        .haveNameMatching("java\\.io\\.(File|RandomAccess).*|java\\.lang\\.(Thread|Process).*")
        .because("the live system and a simulator run the same classes")
        .check(QUIVER);
    noClasses()
        .that()
        .resideInAPackage("io.quiver.core..")
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(Math.class, "random")
        .check(QUIVER);
  }

  @Test
  void onlyTheCommandEndsTheProcess() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.quiver.cli..")
        .and()
        .haveNameNotMatching(".*\\.benchmarks\\..*")
        .should()
        .callMethod(System.class, "exit", int.class)
        .check(QUIVER);
  }
}
