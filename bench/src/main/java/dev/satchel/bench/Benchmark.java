package dev.satchel.bench;

import dev.satchel.bench.report.Result;
import java.util.List;

/** One thing that is measured, in one or more rows. */
public interface Benchmark {
    /** The name for {@code --only}. */
    String name();

    /** If it throws, the other benchmarks still run. */
    List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place) throws Exception;
}
