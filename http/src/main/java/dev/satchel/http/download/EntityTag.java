package dev.satchel.http.download;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A strong entity tag without quotes. */
record EntityTag(String value) {
    private static final Pattern ALLOWED = Pattern.compile("[!\\x23-\\x7e]+");
    private static final Pattern IN_LIST = Pattern.compile("(?:W/)?\"([!\\x23-\\x7e\\x80-ÿ]*)\"");

    EntityTag {
        if (!ALLOWED.matcher(value).matches()) {
            throw new IllegalArgumentException("not an entity tag: " + value);
        }
    }

    String header() {
        return "\"" + value + "\"";
    }

    /** For If-None-Match, which compares weakly. */
    boolean isIn(String list) {
        if (list.strip().equals("*")) {
            return true;
        }
        Matcher tags = IN_LIST.matcher(list);
        while (tags.find()) {
            if (tags.group(1).equals(value)) {
                return true;
            }
        }
        return false;
    }

    /** For If-Range, which compares strongly. A date never matches, since we send none. */
    boolean is(String header) {
        return header.strip().equals(header());
    }
}
