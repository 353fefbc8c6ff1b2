package dev.satchel.bench.stream;

import dev.satchel.bench.report.Samples;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Every line that came in, of all streams, and when. */
final class LineArrivals {
    private record Arrival(int stream, long writtenNanos, long tookNanos) {}

    private final List<Arrival> arrivals = new ArrayList<>();
    private int gaps;

    synchronized void add(int stream, TimedLine line, boolean inOrder, long now) {
        arrivals.add(new Arrival(stream, line.writtenNanos(), now - line.writtenNanos()));
        if (!inOrder) {
            gaps++;
        }
    }

    /** How long the lines took that were written in this time, whenever they came. */
    synchronized Samples between(long fromNanos, long toNanos) {
        Samples samples = new Samples();
        for (Arrival arrival : arrivals) {
            if (arrival.writtenNanos() >= fromNanos && arrival.writtenNanos() < toNanos) {
                samples.add(arrival.tookNanos());
            }
        }
        return samples;
    }

    /** How many lines have come. */
    synchronized long count() {
        return arrivals.size();
    }

    /** How many streams have had a line. */
    synchronized int streams() {
        Set<Integer> heard = new HashSet<>();
        arrivals.forEach(arrival -> heard.add(arrival.stream()));
        return heard.size();
    }

    /** How often a line did not have the next number. */
    synchronized int gaps() {
        return gaps;
    }
}
