package dev.satchel.runner.sandbox;

import java.nio.file.Path;

/** A second Java process that plays the runner. */
final class ChildRunner {
    private ChildRunner() {}

    static ProcessBuilder of(Class<?> main, Path workspace) {
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
