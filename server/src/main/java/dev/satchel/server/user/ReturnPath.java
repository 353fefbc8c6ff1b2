package dev.satchel.server.user;

import java.util.Optional;
import java.util.regex.Pattern;

/** The page of this server that a person wanted before they signed in. */
record ReturnPath(String value) {
    /** Not {@code //host} or {@code /\host}, which browsers take for the address of a site. */
    private static final Pattern LOCAL = Pattern.compile("/(?![/\\\\])[\\x21-\\x7e&&[^\\\\\"<>]]*");

    private static final int MAX_LENGTH = 1_000;

    /** The first page; below the constants with which it is checked. */
    static final ReturnPath HOME = new ReturnPath("/");

    ReturnPath {
        if (!isValid(value)) {
            throw new IllegalArgumentException("not a page of this server");
        }
    }

    /** The page that a request names, or the first page if it names none of this server. */
    static ReturnPath of(Optional<String> named) {
        return named.filter(ReturnPath::isValid).map(ReturnPath::new).orElse(HOME);
    }

    private static boolean isValid(String value) {
        return value.length() <= MAX_LENGTH
                && LOCAL.matcher(value).matches()
                && !value.startsWith("/login")
                && !value.startsWith("/logout");
    }
}
