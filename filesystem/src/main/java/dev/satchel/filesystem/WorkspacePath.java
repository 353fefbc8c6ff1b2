package dev.satchel.filesystem;

import java.util.List;

/**
 * A path inside a workspace: names joined by single slashes, or {@code .} for the workspace itself.
 * A name may contain dots, but it may not be {@code ..}.
 */
public record WorkspacePath(String value) {
    public static final WorkspacePath ROOT = new WorkspacePath(".");

    /** The limit of the kernel. */
    static final int MAX_LENGTH = 4095;

    public WorkspacePath {
        if (value.isEmpty() || value.length() > MAX_LENGTH || value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("not a relative path: " + abridge(value));
        }
        if (!value.equals(".")) {
            checkNames(value);
        }
    }

    /** Accepts {@code ./a}, {@code a//b} and {@code a/} as well. */
    public static WorkspacePath parse(String given) {
        if (given.startsWith("/")) {
            throw new IllegalArgumentException("not a relative path: " + abridge(given));
        }
        StringBuilder names = new StringBuilder(given.length());
        for (String name : given.split("/", -1)) {
            if (!name.isEmpty() && !name.equals(".")) {
                names.append(names.isEmpty() ? "" : "/").append(name);
            }
        }
        return names.isEmpty() ? ROOT : new WorkspacePath(names.toString());
    }

    public boolean isRoot() {
        return value.equals(".");
    }

    /** All names; none for the workspace itself. */
    public List<String> names() {
        return isRoot() ? List.of() : List.of(value.split("/", -1));
    }

    /** The last name. */
    public String name() {
        return value.substring(value.lastIndexOf('/') + 1);
    }

    public WorkspacePath parent() {
        int slash = value.lastIndexOf('/');
        return slash < 0 ? ROOT : new WorkspacePath(value.substring(0, slash));
    }

    public WorkspacePath resolve(String name) {
        return new WorkspacePath(isRoot() ? name : value + "/" + name);
    }

    @Override
    public String toString() {
        return value;
    }

    /** Compares names by code points, which is the order of their bytes and of a walk. */
    public static int compareNames(String one, String other) {
        int length = Math.min(one.length(), other.length());
        for (int i = 0; i < length; i++) {
            char a = one.charAt(i);
            char b = other.charAt(i);
            if (a != b) {
                int beyond = // the basic plane
                        Boolean.compare(Character.isSurrogate(a), Character.isSurrogate(b));
                return beyond != 0 ? beyond : a - b;
            }
        }
        return one.length() - other.length();
    }

    private static void checkNames(String value) {
        int start = 0;
        while (start <= value.length()) {
            int slash = value.indexOf('/', start);
            int end = slash < 0 ? value.length() : slash;
            if (end == start || (end == start + 1 && value.charAt(start) == '.')) {
                throw new IllegalArgumentException("not a relative path: " + abridge(value));
            }
            if (end == start + 2 && value.startsWith("..", start)) {
                throw new IllegalArgumentException("path leaves the workspace: " + abridge(value));
            }
            start = end + 1;
        }
    }

    private static String abridge(String value) {
        return value.length() <= 200 ? value : value.substring(0, 200) + "…";
    }
}
