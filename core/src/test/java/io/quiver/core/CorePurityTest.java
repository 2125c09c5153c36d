package io.quiver.core;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serial;
import java.io.Serializable;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.MappedByteBuffer;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Random;
import java.util.Timer;
import java.util.TimerTask;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The core is pure: no clock, no I/O, no threads, no randomness of its own. The live system and the
 * simulator run the same classes, so whatever differs from run to run has to be passed in.
 */
@AnalyzeClasses(packages = "io.quiver.core", importOptions = ImportOption.DoNotIncludeTests.class)
final class CorePurityTest {
  private static final DescribedPredicate<JavaClass> PURE_PACKAGES =
      resideInAnyPackage(
          "io.quiver.core..",
          "org.jspecify..",
          "java.lang",
          "java.lang.annotation",
          "java.lang.foreign",
          "java.lang.invoke",
          "java.lang.runtime",
          "java.math",
          "java.nio",
          "java.nio.charset",
          "java.security",
          "java.time..",
          "java.util",
          "java.util.function",
          "java.util.random",
          "java.util.regex",
          "java.util.stream",
          "java.util.zip");

  // Streams that are passed in or live in memory, what exceptions need, a parser of addresses, and
  // a hash with a key.
  private static final DescribedPredicate<JavaClass> PURE_CLASSES =
      equivalentTo(ByteArrayOutputStream.class)
          .or(equivalentTo(InputStream.class))
          .or(equivalentTo(OutputStream.class))
          .or(equivalentTo(IOException.class))
          .or(equivalentTo(Mac.class))
          .or(equivalentTo(SecretKeySpec.class))
          .or(equivalentTo(Serial.class))
          .or(equivalentTo(Serializable.class))
          .or(equivalentTo(URI.class))
          .or(equivalentTo(URISyntaxException.class));

  private static final DescribedPredicate<JavaClass> IMPURE_CLASSES =
      belongToAnyOf(
          Thread.class,
          ThreadLocal.class,
          Runtime.class,
          Process.class,
          ProcessBuilder.class,
          ProcessHandle.class,
          Timer.class,
          TimerTask.class,
          SecureRandom.class,
          MappedByteBuffer.class,
          Arena.class,
          Linker.class,
          SymbolLookup.class);

  @ArchTest
  static final ArchRule usesNothingButPureParts =
      classes()
          .should()
          .onlyDependOnClassesThat(
              PURE_PACKAGES
                  .or(PURE_CLASSES)
                  .or(
                      DescribedPredicate.describe(
                          "arrays and primitives", CorePurityTest::builtIn)))
          .andShould()
          .onlyDependOnClassesThat(not(IMPURE_CLASSES));

  @ArchTest
  static final ArchRule asksNoClock =
      noClasses()
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(LocalDate.class, "now")
          .orShould()
          .callMethod(LocalDateTime.class, "now")
          .orShould()
          .callMethod(OffsetDateTime.class, "now")
          .orShould()
          .callMethod(ZonedDateTime.class, "now")
          .orShould()
          .callMethod(Clock.class, "systemUTC")
          .orShould()
          .callMethod(Clock.class, "systemDefaultZone");

  @ArchTest
  static final ArchRule drawsNoRandomnessOfItsOwn =
      noClasses()
          .should()
          .callMethod(Math.class, "random")
          .orShould()
          .callMethod(UUID.class, "randomUUID")
          .orShould()
          .callConstructor(Random.class);

  @ArchTest
  static final ArchRule readsNoSurroundings =
      noClasses()
          .should()
          .callMethod(System.class, "getProperty", String.class)
          .orShould()
          .callMethod(System.class, "getenv", String.class)
          .orShould()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err")
          .orShould()
          .accessField(System.class, "in");

  private static boolean builtIn(JavaClass type) {
    return type.isPrimitive() || (type.isArray() && pureElement(type.getBaseComponentType()));
  }

  private static boolean pureElement(JavaClass type) {
    return type.isPrimitive() || PURE_PACKAGES.test(type);
  }
}
