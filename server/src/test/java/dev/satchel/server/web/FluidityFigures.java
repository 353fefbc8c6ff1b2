package dev.satchel.server.web;

import dev.satchel.server.testing.TestServer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Measures what a thread of a thousand turns feels like, in a real browser: a key until the frame
 * that shows it, and the frames of a scroll through the whole thread. A program and not a test,
 * since what it tells depends on the machine; {@code docs/PAGE.md} says how to run it.
 */
public final class FluidityFigures {
    private static final int KEYS = 100;

    /** From the moment the key was pressed to the first task after the frame that came of it. */
    private static final String WATCH_KEYS =
            """
            () => {
              window.keys = [];
              addEventListener('keydown', event => requestAnimationFrame(() => {
                const {port1, port2} = new MessageChannel();
                port1.onmessage = () => window.keys.push(performance.now() - event.timeStamp);
                port2.postMessage(0);
              }), true);
            }
            """;

    private static final String SCROLL =
            """
            () => new Promise(done => {
              const thread = document.querySelector('.thread');
              const frames = [];
              let before = performance.now();
              thread.scrollTop = thread.scrollHeight;
              const step = now => {
                frames.push(now - before);
                before = now;
                thread.scrollTop -= 1500;
                if (frames.length < 120) requestAnimationFrame(step);
                else done(frames.slice(1));
              };
              requestAnimationFrame(step);
            })
            """;

    private FluidityFigures() {}

    public static void main(String[] arguments) throws Exception {
        Path data = Files.createTempDirectory("satchel-figures-");
        try (TestServer server = TestServer.start(data, null, null);
                Visitor ada = Visitor.of(server)) {
            long begin = System.nanoTime();
            LongThread.open(server, data, ada);
            report("all pages loaded, ms", List.of((System.nanoTime() - begin) / 1e6));
            LongThread.composer(ada).focus();
            ada.page().evaluate(WATCH_KEYS);
            for (int key = 0; key < KEYS; key++) {
                ada.page().keyboard().press("a");
            }
            ada.page().waitForFunction("count => window.keys.length === count", KEYS);
            report("key to frame, ms", numbers(ada.page().evaluate("window.keys")));
            report("frame while scrolling, ms", numbers(ada.page().evaluate(SCROLL)));
            report(
                    "elements",
                    numbers(ada.page().evaluate("[document.querySelectorAll('*').length]")));
        }
        System.exit(0); // the browser's own threads go on
    }

    private static List<Double> numbers(Object values) {
        return ((List<?>) values).stream().map(value -> ((Number) value).doubleValue()).toList();
    }

    private static void report(String what, List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        System.out.printf(
                "%-28s p50 %8.1f   p95 %8.1f   max %8.1f%n",
                what, at(sorted, 0.5), at(sorted, 0.95), sorted.getLast());
    }

    private static double at(List<Double> sorted, double share) {
        return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(share * sorted.size())));
    }
}
