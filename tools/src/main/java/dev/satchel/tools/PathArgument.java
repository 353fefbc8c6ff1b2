package dev.satchel.tools;

import dev.satchel.filesystem.ReadableDirectory;
import dev.satchel.filesystem.WorkspacePath;

/** A path as the agent gave it, and the path in the workspace that it means. */
public record PathArgument(String given, WorkspacePath path, boolean inSkills) {
    private static final int MAX_SHOWN = 300;

    /** Where commands in a sandbox see the workspace. */
    public static final String WORKSPACE = "/root/workspace";

    /** Where commands in a sandbox see the skills of the run. */
    public static final String SKILLS = "/root/skills";

    public static final PathArgument ROOT = new PathArgument(".", WorkspacePath.ROOT, false);

    /** Takes paths relative to the workspace, and absolute ones as the sandbox sees them. */
    public static PathArgument parse(String given) throws InvalidArgumentException {
        return of(given, isBeneath(given, WORKSPACE) ? relative(given, WORKSPACE) : given, false);
    }

    /** Takes paths of the skills as well. */
    public static PathArgument parseReadable(String given) throws InvalidArgumentException {
        return isBeneath(given, SKILLS) ? of(given, relative(given, SKILLS), true) : parse(given);
    }

    private static PathArgument of(String given, String relative, boolean inSkills)
            throws InvalidArgumentException {
        try {
            return new PathArgument(given, WorkspacePath.parse(relative), inSkills);
        } catch (IllegalArgumentException _) {
            throw missing(given);
        }
    }

    private static boolean isBeneath(String given, String directory) {
        return given.equals(directory) || given.startsWith(directory + "/");
    }

    private static String relative(String given, String directory) {
        String relative = given.substring(directory.length()).replaceFirst("^/+", "");
        return relative.isEmpty() ? "." : relative;
    }

    /** The directory that has the path: the workspace, or the skills if the run has any. */
    public ReadableDirectory in(ReadableDirectory files) throws InvalidArgumentException {
        if (!inSkills) {
            return files;
        }
        if (files instanceof WorkspaceWithSkills both) {
            return both.skills();
        }
        throw missing();
    }

    public InvalidArgumentException missing() {
        return missing(given);
    }

    /** A path beneath this one, written as the agent wrote this one. */
    public String show(WorkspacePath found) {
        if (found.equals(path)) {
            return given;
        }
        if (path.isRoot()) {
            String root = inSkills ? SKILLS : WORKSPACE;
            return (given.startsWith("/") ? root + "/" : "") + found.value();
        }
        String base = given.endsWith("/") ? given.substring(0, given.length() - 1) : given;
        return base + found.value().substring(path.value().length());
    }

    private static InvalidArgumentException missing(String given) {
        String shown = given.length() <= MAX_SHOWN ? given : given.substring(0, MAX_SHOWN) + "…";
        return new InvalidArgumentException(
                "Path "
                        + shown.replace('\0', '?')
                        + " does not exist. Please provide a valid path.");
    }
}
