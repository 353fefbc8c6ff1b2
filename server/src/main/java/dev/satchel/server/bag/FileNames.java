package dev.satchel.server.bag;

import java.text.Normalizer;
import java.util.Locale;

/** TEMPORARY until s1 lands. */
final class FileNames {
    private FileNames() {}

    static String clean(String name) {
        return Normalizer.normalize(name.substring(name.lastIndexOf('/') + 1), Normalizer.Form.NFC);
    }

    static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    static String suffixed(String name, int n) {
        int dot = name.lastIndexOf('.');
        return dot <= 0 || dot == name.length() - 1
                ? name + "-" + n
                : name.substring(0, dot) + "-" + n + name.substring(dot);
    }
}
