package dev.satchel.runner.sandbox;

import java.nio.file.Path;

/**
 * A file or directory of the host that one command can read besides the workspace. The arguments of
 * the command name it by its target, which must be absolute.
 */
public record ReadOnlyMount(Path source, String target) {
    /** The argument as it is without a sandbox, where there are no mounts. */
    public String onHost(String argument) {
        return argument.equals(target) || argument.startsWith(target + "/")
                ? source + argument.substring(target.length())
                : argument;
    }
}
