package io.quiver.benchmarks.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs the micro benchmarks. Not a test by its name, so the build leaves it alone; asked for with
 * {@code -Dtest=MicroBenchmarkRun}, and {@code -Dquiver.jmh=Frame} picks some.
 */
class MicroBenchmarkRun {
  @Test
  void everyMicroBenchmarkRunsToItsEnd() throws Exception {
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .include(System.getProperty("quiver.jmh", "io.quiver.benchmarks.jmh"))
                    .forks(1)
                    .warmupIterations(3)
                    .warmupTime(TimeValue.seconds(1))
                    .measurementIterations(5)
                    .measurementTime(TimeValue.seconds(1))
                    .jvmArgsAppend("--enable-native-access=ALL-UNNAMED")
                    .build())
            .run();
    assertThat(results).isNotEmpty();
  }
}
