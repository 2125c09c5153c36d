package io.quiver.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Holds the whole project to its shape: which module may use which, who may end the process. */
@Execution(ExecutionMode.CONCURRENT)
class ArchitectureTest {
  private static final JavaClasses QUIVER =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.quiver");

  /** The modules each module may use beside itself: the table of ARCHITECTURE.md. */
  private static final Map<String, Set<String>> MAY_USE = modules();

  private static Map<String, Set<String>> modules() {
    Map<String, Set<String>> table = new TreeMap<>();
    table.put("core", Set.of());
    table.put("http", Set.of("core"));
    table.put("protocol", Set.of("core"));
    table.put("store", Set.of("core"));
    table.put("remote", Set.of("core"));
    table.put("server", Set.of("core", "http", "protocol", "store"));
    table.put("manager", Set.of("core", "http", "protocol"));
    table.put("client", Set.of("core", "http", "protocol", "remote"));
    table.put("gateway", union(table, "client"));
    table.put("simulator", Set.of("core", "manager"));
    table.put("report", Set.of("core"));
    table.put("node", union(table, "server", "manager", "client", "gateway"));
    table.put("benchmarks", union(table, "node", "simulator", "report"));
    table.put("djl", union(table, "node", "report"));
    table.put("cli", union(table, "benchmarks"));
    return table;
  }

  /** Returns these modules and all that they may use. */
  private static Set<String> union(Map<String, Set<String>> table, String... modules) {
    Set<String> all = new TreeSet<>(List.of(modules));
    for (String module : modules) {
      all.addAll(table.getOrDefault(module, Set.of()));
    }
    return all;
  }

  private static String module(JavaClass type) {
    return type.getPackageName().split("\\.", -1)[2];
  }

  @TestFactory
  Stream<DynamicTest> modulesUseOnlyWhatTheTableAllows() {
    return MAY_USE.entrySet().stream()
        .map(entry ->
            DynamicTest.dynamicTest(
                entry.getKey(), () -> requireAllowed(entry.getKey(), entry.getValue())));
  }

  private static void requireAllowed(String module, Set<String> allowed) {
    String[] others =
        MAY_USE.keySet().stream()
            .filter(other -> !other.equals(module) && !allowed.contains(other))
            .map(other -> "io.quiver." + other + "..")
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage("io.quiver." + module + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others)
        .allowEmptyShould(true)
        .check(QUIVER);
  }

  @Test
  void everyModuleIsInTheTable() {
    Set<String> found = new TreeSet<>();
    QUIVER.forEach(type -> found.add(module(type)));
    found.remove("testkit");
    assertThat(MAY_USE.keySet()).containsAll(found);
  }

  @Test
  void noTwoPackagesDependOnEachOther() {
    slices()
        .matching("io.quiver.(**)")
        .should()
        .beFreeOfCycles()
        // The package of the contract also lists every store that implements it.
        .ignoreDependency(
            resideInAPackage("io.quiver.remote"), resideInAPackage("io.quiver.remote.."))
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

  @Test
  void onlyTheCommandPrints() {
    noClasses()
        .that()
        .resideInAnyPackage("io.quiver.node..", "io.quiver.report..", "io.quiver.simulator..")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(QUIVER);
  }

  @Test
  void onlyTheCommandKnowsExitCodes() {
    classes()
        .that()
        .haveSimpleName("CommandFailure")
        .or()
        .haveSimpleName("ExitCode")
        .should()
        .onlyHaveDependentClassesThat()
        .resideInAPackage("io.quiver.cli..")
        .check(QUIVER);
  }
}
