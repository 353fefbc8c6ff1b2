package dev.satchel.runner.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.filesystem.SafeDirectory;
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

    private static List<String> paths(OutputFiles.Selection selection) {
        return selection.files().stream().map(file -> file.path().value()).toList();
    }

    @Test
    void whatWasThereBeforeStaysThere() throws IOException {
        write("old", 1);
        OutputFiles outputs = new OutputFiles(workspace, LIMITS);
        write("new/deep", 2);
        assertThat(paths(outputs.select())).containsExactly("assets/new/deep");
    }

    @Test
    void replacedFileOfTheSameSizeIsNew() throws IOException {
        write("old", 1);
        OutputFiles outputs = new OutputFiles(workspace, LIMITS);
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
        OutputFiles outputs = new OutputFiles(workspace, LIMITS);
        write("a", 9);
        write("b", 8);
        write("c", 7);
        OutputFiles.Selection selection = outputs.select();
        assertThat(paths(selection)).containsExactly("assets/c", "assets/b");
        assertThat(selection.omitted()).isEqualTo(1);
    }

    @Test
    void exactlyWhatIsAllowedGoesOut() throws IOException {
        OutputFiles outputs = new OutputFiles(workspace, LIMITS);
        write("a", 10);
        write("b", 5);
        write("c", 5);
        assertThat(outputs.select().omitted()).isZero();
    }

    @Test
    void folderThatIsALinkIsNotFollowed(@TempDir Path elsewhere) throws IOException {
        Files.delete(assets);
        OutputFiles outputs = new OutputFiles(workspace, LIMITS);
        Files.writeString(elsewhere.resolve("secret"), "x");
        Files.createSymbolicLink(assets, elsewhere);
        assertThat(outputs.select().files()).isEmpty();
    }

    @Test
    void missingFolderIsNothingToHandIn() throws IOException {
        Files.delete(assets);
        assertThat(new OutputFiles(workspace, LIMITS).select().files()).isEmpty();
    }
}
