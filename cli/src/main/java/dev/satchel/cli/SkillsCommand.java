package dev.satchel.cli;

import dev.satchel.cli.common.AttachmentUploader;
import dev.satchel.cli.common.CliException;
import dev.satchel.cli.common.ExitCode;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.HumanFormat;
import dev.satchel.cli.output.Table;
import dev.satchel.cli.output.TransferProgress;
import dev.satchel.client.model.Skill;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Folders of instructions and scripts that agents use. */
@Command(
        name = "skills",
        mixinStandardHelpOptions = true,
        description = "Lists, stores, shows and deletes skills of agents.")
final class SkillsCommand implements Callable<Integer> {
    private static final String NAME = "NAME";

    private final ServerOptions server;

    SkillsCommand(ServerOptions server) {
        this.server = server;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        return ls();
    }

    @Command(description = "Lists the skills with their newest versions.")
    int ls() throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    output.list(
                            client.skills().list(),
                            new Table<Skill>()
                                    .column("NAME", Skill::name)
                                    .column("VERSION", skill -> String.valueOf(skill.version()))
                                    .column("SIZE", skill -> HumanFormat.size(skill.bytes()))
                                    .column("STORED", SkillsCommand::stored)
                                    .column("DESCRIPTION", Skill::description));
                });
    }

    @Command(
            description = {
                "Stores a skill, or its next version.",
                "FILE is a zip, tar or tar.gz archive, or a folder with a SKILL.md."
            })
    int put(@Parameters(paramLabel = "FILE") Path file) throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    boolean isFolder = Files.isDirectory(file);
                    Path archive = isFolder ? packed(file) : file;
                    try {
                        new AttachmentUploader(client, output).check(List.of(archive));
                        try (TransferProgress progress =
                                output.progress(AttachmentUploader.names(List.of(archive)))) {
                            Skill stored = client.skills().put(archive, progress);
                            progress.done();
                            output.value(stored, stored.name() + " version " + stored.version());
                        }
                    } finally {
                        if (isFolder) {
                            Files.deleteIfExists(archive);
                        }
                    }
                });
    }

    @Command(description = "Prints the instructions of a skill and the names of its files.")
    int show(
            @Parameters(paramLabel = NAME) String name,
            @Option(
                            names = "--number",
                            paramLabel = "N",
                            description = "A version (default: the newest)")
                    @Nullable Long version)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    Skill skill =
                            version == null
                                    ? client.skills().get(name)
                                    : client.skills().get(name, version);
                    StringBuilder text =
                            new StringBuilder(skill.json().path("instructions").asString(""));
                    text.append("\n");
                    skill.json()
                            .path("entries")
                            .forEach(
                                    entry ->
                                            text.append(entry.path("path").asString(""))
                                                    .append('\n'));
                    output.value(skill, text.toString().stripTrailing());
                });
    }

    @Command(description = "Deletes a skill that no agent names, with all its versions.")
    int rm(@Parameters(paramLabel = NAME) String name) throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    client.skills().delete(name);
                    output.value(Map.of("name", name, "deleted", true), name);
                });
    }

    /** A folder as a zip; the caller deletes it. */
    private static Path packed(Path folder) throws IOException {
        Path archive = Files.createTempFile("satchel-skill-", ".zip");
        boolean isComplete = false;
        try (Stream<Path> files = Files.walk(folder);
                ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            for (Path file : files.sorted().toList()) {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    zip.putNextEntry(new ZipEntry(entryName(folder, file)));
                    Files.copy(file, zip);
                } else if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)
                        && !file.equals(folder)) {
                    throw new CliException(
                            ExitCode.WRONG_USE,
                            file + " is not a plain file: a skill has only files and folders");
                }
            }
            isComplete = true;
            return archive;
        } finally {
            if (!isComplete) {
                Files.deleteIfExists(archive);
            }
        }
    }

    private static String entryName(Path folder, Path file) {
        return folder.relativize(file).toString().replace('\\', '/');
    }

    private static String stored(Skill skill) {
        Instant at = skill.createdAt();
        return at == null ? "with Satchel" : HumanFormat.dateTime(at);
    }
}
