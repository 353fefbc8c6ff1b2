package dev.satchel.runner;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SharedSecret;
import dev.satchel.protocol.SandboxContents;
import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxFactory;
import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.SandboxSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /sandbox}: what a sandbox has. The first request asks in a sandbox, and the answer is
 * kept until the runner ends.
 */
final class SandboxContentsRoute {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int OUTPUT_BYTES = 256 * 1024;
    private static final int MAX_PACKAGES = 1_000;

    /** Each line is a word, and values after tabs. */
    private static final String SCRIPT =
            """
            (. /usr/lib/os-release && printf 'system\\t%s\\n' "$PRETTY_NAME") 2>/dev/null
            python3 - 2>/dev/null <<'END'
            import sys, importlib.metadata
            print("python", sys.version.split()[0], sep="\\t")
            for found in importlib.metadata.distributions():
                print("package", found.metadata["Name"], found.version, sep="\\t")
            END
            for tool in awk bash bc convert curl ffmpeg file g++ gcc git gnuplot go gzip inkscape java jq \\
                latex libreoffice make node npm pandoc pdfimages pdftoppm pdftotext perl php pip3 python3 rg \\
                ruby rustc sed soffice sqlite3 tar tesseract unzip wget xz zip zstd; do
                command -v "$tool" >/dev/null && printf 'tool\\t%s\\n' "$tool"
            done
            exit 0
            """;

    private final SandboxFactory sandboxes;
    private final Path directory;
    private final SharedSecret secret;
    private final ReentrantLock asking = new ReentrantLock();
    private @Nullable SandboxContents known; // guarded by asking

    SandboxContentsRoute(SandboxFactory sandboxes, Path directory, SharedSecret secret) {
        this.sandboxes = sandboxes;
        this.directory = directory;
        this.secret = secret;
    }

    void addTo(Router router) {
        router.get("/sandbox", this::read);
    }

    private void read(Exchange exchange) throws IOException, InterruptedException {
        secret.require(exchange);
        exchange.json(200, contents());
    }

    private SandboxContents contents() throws IOException, InterruptedException {
        asking.lockInterruptibly();
        try {
            if (known == null) {
                known = parse(ask(), !sandboxes.root().equals(SandboxFactory.HOST));
            }
            return known;
        } finally {
            asking.unlock();
        }
    }

    private String ask() throws IOException, InterruptedException {
        Path workspace = Files.createTempDirectory(directory, "contents-");
        SandboxSpec spec =
                new SandboxSpec("contents", workspace, SandboxLimits.DEFAULT, List.of(), Map.of());
        try (Sandbox sandbox = sandboxes.open(spec)) {
            return sandbox.run(Command.shell(SCRIPT, TIMEOUT, OUTPUT_BYTES)).output();
        } finally {
            Files.deleteIfExists(workspace);
        }
    }

    static SandboxContents parse(String output, boolean prepared) {
        String system = null;
        String python = null;
        List<SandboxContents.InstalledPackage> packages = new ArrayList<>();
        List<String> tools = new ArrayList<>();
        for (String line : output.split("\n", -1)) {
            String[] values = line.split("\t", -1);
            switch (values[0]) {
                case "system" -> system = values.length == 2 ? values[1] : system;
                case "python" -> python = values.length == 2 ? values[1] : python;
                case "tool" -> tools.add(values[values.length - 1]);
                case "package" -> {
                    if (values.length == 3 && packages.size() < MAX_PACKAGES) {
                        packages.add(new SandboxContents.InstalledPackage(values[1], values[2]));
                    }
                }
                default -> {} // what a start script of a shell prints
            }
        }
        return new SandboxContents(
                system,
                python,
                packages.stream()
                        .distinct()
                        .sorted(
                                Comparator.comparing(
                                        SandboxContents.InstalledPackage::name,
                                        String.CASE_INSENSITIVE_ORDER))
                        .toList(),
                tools,
                prepared);
    }
}
