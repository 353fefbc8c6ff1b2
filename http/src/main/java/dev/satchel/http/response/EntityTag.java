package dev.satchel.http.response;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A strong entity tag without quotes. */
public record EntityTag(String value) {
    private static final Pattern ALLOWED = Pattern.compile("[!\\x23-\\x7e]+");
    private static final Pattern IN_LIST = Pattern.compile("(W/)?\"([!\\x23-\\x7e\\x80-ÿ]*)\"");

    public EntityTag {
        if (!ALLOWED.matcher(value).matches()) {
            throw new IllegalArgumentException("not an entity tag: " + value);
        }
    }

    public String header() {
        return "\"" + value + "\"";
    }

    /** For If-None-Match, which compares weakly. */
    public boolean isIn(String list) {
        return isIn(list, true);
    }

    /** For If-Match, which compares strongly. */
    public boolean isStronglyIn(String list) {
        return isIn(list, false);
    }

    private boolean isIn(String list, boolean weak) {
        if (list.strip().equals("*")) {
            return true;
        }
        Matcher tags = IN_LIST.matcher(list);
        while (tags.find()) {
            if ((weak || tags.group(1) == null) && tags.group(2).equals(value)) {
                return true;
            }
        }
        return false;
    }

    /** For If-Range, which compares strongly. A date never matches, since we send none. */
    public boolean is(String header) {
        return header.strip().equals(header());
    }
}
