package dev.satchel.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code GET {SANDBOX_URL}/sandbox}: what a command finds in a sandbox in which
 * nothing was installed.
 *
 * @param system the name of the operating system; absent if it has none
 * @param python the version of Python; absent without Python
 * @param packages the packages of Python, by name
 * @param tools the programs among those that agents often want
 * @param prepared whether the programs are those of a prepared root, not of the machine
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SandboxContents(
        @JsonProperty("system") @Nullable String system,
        @JsonProperty("python") @Nullable String python,
        @JsonProperty("packages") List<InstalledPackage> packages,
        @JsonProperty("tools") List<String> tools,
        @JsonProperty("prepared") boolean prepared) {

    public SandboxContents {
        packages = List.copyOf(packages);
        tools = List.copyOf(tools);
    }

    /** A package of Python. */
    public record InstalledPackage(
            @JsonProperty("name") String name, @JsonProperty("version") String version) {}
}
