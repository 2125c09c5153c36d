package io.quiver.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The shape of the whole project. That the core is pure is tested in the core itself. */
class ArchitectureTest {
  private static final JavaClasses QUIVER =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.quiver");

  @Test
  void dependenciesBetweenModulesPointOneWay() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("core")
        .definedBy("io.quiver.core..")
        .layer("http")
        .definedBy("io.quiver.http..")
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
        .optionalLayer("simulator")
        .definedBy("io.quiver.simulator..")
        .layer("benchmarks")
        .definedBy("io.quiver.benchmarks..")
        .layer("cli")
        .definedBy("io.quiver.cli..")
        .whereLayer("cli")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("benchmarks")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("simulator")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("server")
        .mayOnlyBeAccessedByLayers("benchmarks", "cli")
        .whereLayer("client")
        .mayOnlyBeAccessedByLayers("benchmarks", "cli")
        .whereLayer("remote")
        .mayOnlyBeAccessedByLayers("client", "benchmarks", "cli")
        .whereLayer("store")
        .mayOnlyBeAccessedByLayers("server", "benchmarks", "cli")
        .whereLayer("http")
        .mayOnlyBeAccessedByLayers("server", "client", "benchmarks", "cli")
        .whereLayer("protocol")
        .mayOnlyBeAccessedByLayers("server", "client", "benchmarks", "cli")
        .whereLayer("core")
        .mayOnlyBeAccessedByLayers(
            "http",
            "protocol",
            "store",
            "remote",
            "server",
            "client",
            "simulator",
            "benchmarks",
            "cli")
        .check(QUIVER);
  }

  @Test
  void noTwoPackagesDependOnEachOther() {
    slices().matching("io.quiver.(**)").should().beFreeOfCycles().check(QUIVER);
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
