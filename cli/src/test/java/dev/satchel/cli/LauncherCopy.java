package dev.satchel.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A copy of {@code ./satchel} in a small project, with scripts in place of the programs that it
 * calls. Each script writes its name and arguments to a file.
 */
final class LauncherCopy {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final List<String> SYSTEM_PROGRAMS =
            Arrays.asList(
                    "bash,cat,dirname,env,find,grep,ln,mkdir,mktemp,mv,readlink,rm,sed,sha512sum,sleep,tar,touch,true,uname"
                            .split(","));

    private final Path folder;
    private final Path root;

    /** Has a JDK, Maven, Node.js and bubblewrap; the user is root. */
    LauncherCopy(Path folder) throws IOException {
        this.folder = folder;
        this.root = folder.resolve("project");
        Files.createFile(folder.resolve("calls"));
        copyLauncher();
        Files.createDirectories(folder.resolve("bin"));
        for (String program : SYSTEM_PROGRAMS) {
            Files.createSymbolicLink(
                    folder.resolve("bin").resolve(program), Path.of("/usr/bin", program));
        }
        addJdk("25");
        program("mvn", "cd " + root, "mkdir -p server/target cli/target", "touch " + jars());
        program("node", "echo v24.1.0");
        program("npm");
        program("bwrap");
        program("id", "echo 0");
    }

    /** Puts a script onto the path, or replaces it. */
    void program(String name, String... lines) throws IOException {
        write(folder.resolve("bin").resolve(name), lines);
    }

    void remove(String name) throws IOException {
        Files.delete(folder.resolve("bin").resolve(name));
    }

    void removeJdk() throws IOException {
        Files.delete(folder.resolve("jvm/jdk/release"));
    }

    /** A JDK that makes AOT caches, unless a file {@code no-training} exists. */
    void addJdk(String version) throws IOException {
        Path jdk = folder.resolve("jvm/jdk");
        Files.createDirectories(jdk.resolve("bin"));
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        write(
                jdk.resolve("bin/java"),
                "for argument in \"$@\"; do case \"$argument\" in",
                "-XX:AOTCacheOutput=*) [ ! -e no-training ] || exit 1; : >\"${argument#*=}\" ;;",
                "esac; done");
        write(jdk.resolve("bin/javac"));
    }

    /** An apt-get that puts a script for each program onto the path when it installs anything. */
    void aptGetThatInstalls(String... names) throws IOException {
        StringBuilder line = new StringBuilder("case \"$*\" in *install*) ");
        for (String name : names) {
            Path program = folder.resolve("bin").resolve(name);
            line.append("printf '#!/bin/sh\\n' >").append(program);
            line.append("; /bin/chmod +x ").append(program).append("; ");
        }
        program("apt-get", line + ";; esac");
    }

    SatchelProcess.Outcome run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(root.resolve("satchel").toString()));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", folder.resolve("bin").toString());
        builder.environment().put("HOME", folder.toString());
        return SatchelProcess.finish(builder.start());
    }

    /** What the scripts were called with, as {@code name argument...}. */
    List<String> calls(String name) throws IOException {
        try (Stream<String> lines = Files.lines(folder.resolve("calls"))) {
            return lines.filter(line -> line.startsWith(name + " ")).toList();
        }
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    private void copyLauncher() throws IOException {
        for (String name :
                List.of("scripts", "deploy", "server/src/main", "web/src", "web/public")) {
            Files.createDirectories(root.resolve(name));
        }
        for (String name : List.of("server/pom.xml", "web/build", "web/package.json")) {
            Files.createFile(root.resolve(name));
        }
        List<Path> files = new ArrayList<>();
        try (Stream<Path> scripts = Files.list(PROJECT.resolve("scripts"))) {
            scripts.forEach(files::add);
        }
        files.add(PROJECT.resolve("pom.xml"));
        files.add(PROJECT.resolve("deploy/jvm-flags"));
        for (Path file : files) {
            Files.copy(file, root.resolve(PROJECT.relativize(file)));
        }
        String launcher =
                Files.readString(PROJECT.resolve("satchel"))
                        .replace("jvm_folder=/usr/lib/jvm", "jvm_folder=" + folder.resolve("jvm"));
        makeExecutable(Files.writeString(root.resolve("satchel"), launcher));
    }

    private String jars() {
        return "server/target/satchel-server.jar cli/target/satchel-cli.jar";
    }

    private void write(Path script, String... lines) throws IOException {
        String log = "echo \"${0##*/} $*\" >>" + folder.resolve("calls");
        Files.writeString(script, "#!/bin/sh\n" + log + "\n" + String.join("\n", lines) + "\n");
        makeExecutable(script);
    }

    private static void makeExecutable(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
