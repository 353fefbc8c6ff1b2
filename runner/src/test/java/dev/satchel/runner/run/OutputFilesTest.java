package dev.satchel.runner.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.protocol.NotHandedOver;
import dev.satchel.protocol.RunConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFilesTest {
    private static final OutputFiles.Limits LIMITS = new OutputFiles.Limits(3, 10, 20);

    @TempDir Path folder;
    private SafeDirectory workspace;
    private Path assets;

    @BeforeEach
    void open() throws IOException {
        workspace = SafeDirectory.open(folder);
        assets = Files.createDirectory(folder.resolve("assets"));
    }

    @AfterEach
    void close() {
        workspace.close();
    }

    private void write(String name, int size) throws IOException {
        Files.createDirectories(assets.resolve(name).getParent());
        Files.write(assets.resolve(name), new byte[size]);
    }

    private OutputFiles outputs() throws IOException {
        RunConfig plain =
                new RunConfig(
                        "run", "", List.of(), null, "default", null, null, 0, null, null, null,
                        null, null, null, null, null, null, null, null);
        return new OutputFiles(workspace, LIMITS, new KnownOutputs(plain));
    }

    private static List<String> paths(OutputFiles.Selection selection) {
        return selection.files().stream().map(file -> file.path().value()).toList();
    }

    @Test
    void whatWasThereBeforeStaysThere() throws IOException {
        write("old", 1);
        OutputFiles outputs = outputs();
        write("new/deep", 2);
        assertThat(paths(outputs.select())).containsExactly("assets/new/deep");
    }

    @Test
    void replacedFileOfTheSameSizeIsNew() throws IOException {
        write("old", 1);
        OutputFiles outputs = outputs();
        write("other", 1);
        Files.setLastModifiedTime(
                assets.resolve("other"), Files.getLastModifiedTime(assets.resolve("old")));
        Files.move(
                assets.resolve("other"),
                assets.resolve("old"),
                StandardCopyOption.REPLACE_EXISTING);
        assertThat(paths(outputs.select())).containsExactly("assets/old");
    }

    @Test
    void totalLimitLeavesTheBiggestBehind() throws IOException {
        OutputFiles outputs = outputs();
        write("a", 9);
        write("b", 8);
        write("c", 7);
        OutputFiles.Selection selection = outputs.select();
        assertThat(paths(selection)).containsExactly("assets/c", "assets/b");
        assertThat(selection.leftOut())
                .containsExactly(
                        new NotHandedOver(
                                "assets/a", 9, "the files together have more than 20 bytes"));
    }

    @Test
    void exactlyWhatIsAllowedGoesOut() throws IOException {
        OutputFiles outputs = outputs();
        write("a", 10);
        write("b", 5);
        write("c", 5);
        assertThat(outputs.select().leftOut()).isEmpty();
    }

    @Test
    void folderThatIsALinkIsNotFollowed(@TempDir Path elsewhere) throws IOException {
        Files.delete(assets);
        OutputFiles outputs = outputs();
        Files.writeString(elsewhere.resolve("secret"), "x");
        Files.createSymbolicLink(assets, elsewhere);
        OutputFiles.Selection selection = outputs.select();
        assertThat(selection.files()).isEmpty();
        assertThat(selection.leftOut())
                .extracting(NotHandedOver::path, NotHandedOver::reason)
                .containsExactly(tuple("assets", "this is not a folder"));
    }

    @Test
    void missingFolderIsNothingToHandIn() throws IOException {
        Files.delete(assets);
        assertThat(outputs().select().files()).isEmpty();
    }
}
