package dev.satchel.bench;

import dev.satchel.bench.report.Result;
import java.util.List;

/** One thing that is measured, in one or more rows. */
public interface Benchmark {
    /** What {@code --only} calls it. */
    String name();

    /** Whatever it throws, the other figures are measured all the same. */
    List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place) throws Exception;
}
