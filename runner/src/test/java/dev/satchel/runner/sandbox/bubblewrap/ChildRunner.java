package dev.satchel.runner.sandbox.bubblewrap;

import java.nio.file.Path;

/** A second Java process that plays the runner. */
public final class ChildRunner {
    private ChildRunner() {}

    public static ProcessBuilder of(Class<?> main, Path workspace) {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName(),
                        workspace.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
    }
}
