package dev.satchel.server.web;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Debian's Chromium, started once for all tests; each test gets a fresh profile in it. */
public final class Chromium {
    /** For machines that do much else at the same time; a passing test never waits that long. */
    public static final double PATIENCE_MILLIS = 30_000;

    /** Not a secure origin, unlike loopback: as for a browser on another machine. */
    static final String INSECURE_HOST = "satchel.test";

    private static final List<String> FLAGS =
            List.of(
                    "--host-resolver-rules=MAP " + INSECURE_HOST + " 127.0.0.1",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-quic",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync");

    private Chromium() {}

    private static final class Started {
        private static final Browser BROWSER = launch();

        private static Browser launch() {
            Playwright playwright =
                    Playwright.create(
                            new Playwright.CreateOptions()
                                    .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
            PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
            Runtime.getRuntime().addShutdownHook(new Thread(playwright::close));
            return playwright
                    .chromium()
                    .launch(
                            new BrowserType.LaunchOptions()
                                    .setExecutablePath(Path.of("/usr/bin/chromium"))
                                    .setArgs(FLAGS));
        }
    }

    public static Browser browser() {
        return Started.BROWSER;
    }
}
