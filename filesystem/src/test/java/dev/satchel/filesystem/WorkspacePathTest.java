package dev.satchel.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkspacePathTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"", "/", "/a", "..", "a/..", "../a", "a/../b", "a//b", "a/", "./a", "a\0"})
    void aPathThatIsNotRelativeIsRefused(String value) {
        assertThatThrownBy(() -> new WorkspacePath(value))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "a", "notes..txt", "...", "..a", "a/.b", "a b/ü", "-rf", "a\\b"})
    void namesMayContainDotsAndSpecialCharacters(String value) {
        assertThat(new WorkspacePath(value).value()).isEqualTo(value);
    }

    @Test
    void parsingNormalizesAPath() {
        assertThat(WorkspacePath.parse("./a//b/")).isEqualTo(new WorkspacePath("a/b"));
        assertThat(WorkspacePath.parse("")).isEqualTo(WorkspacePath.ROOT);
        assertThat(WorkspacePath.parse("./")).isEqualTo(WorkspacePath.ROOT);
        assertThatThrownBy(() -> WorkspacePath.parse("a/../../b"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPathHasNamesAndAParent() {
        WorkspacePath path = new WorkspacePath("a/b/c.txt");
        assertThat(path.names()).isEqualTo(List.of("a", "b", "c.txt"));
        assertThat(path.name()).isEqualTo("c.txt");
        assertThat(path.parent()).isEqualTo(new WorkspacePath("a/b"));
        assertThat(new WorkspacePath("a").parent()).isEqualTo(WorkspacePath.ROOT);
        assertThat(WorkspacePath.ROOT.names()).isEmpty();
    }
}
