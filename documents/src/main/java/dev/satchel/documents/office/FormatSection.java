package dev.satchel.documents.office;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One section of a number format.
 *
 * @param digits the places of digits such as {@code #,##0.00}, or the letters of a date
 */
record FormatSection(String before, String digits, String after, Kind kind) {
    private static final Pattern CURRENCY = Pattern.compile("\\$([^-]*)(-.*)?");
    private static final Pattern ELAPSED = Pattern.compile("(?i)h+|m+|s+");
    private static final int GROUP = 3;

    /** What it shows. */
    enum Kind {
        GENERAL,
        NUMBER,
        DATE,
        TEXT
    }

    static FormatSection parse(String code) {
        StringBuilder before = new StringBuilder();
        StringBuilder digits = new StringBuilder();
        StringBuilder after = new StringBuilder();
        boolean isDate = false;
        boolean isGeneral = false;
        for (int i = 0; i < code.length(); i++) {
            char c = code.charAt(i);
            StringBuilder literal = digits.isEmpty() && !isGeneral ? before : after;
            if (c == '"') {
                int end = code.indexOf('"', i + 1);
                end = end < 0 ? code.length() : end;
                literal.append(code, i + 1, end);
                i = end;
            } else if (c == '\\' || c == '_' || c == '*') {
                // an escaped sign; a space as wide as a sign; a sign that fills the cell
                i++;
                if (c == '\\' && i < code.length()) {
                    literal.append(code.charAt(i));
                }
            } else if (c == '[') {
                int end = Math.max(code.indexOf(']', i), i);
                String inside = code.substring(i + 1, Math.max(end, i + 1));
                Matcher currency = CURRENCY.matcher(inside);
                if (currency.matches()) {
                    literal.append(currency.group(1));
                } else if (ELAPSED.matcher(inside).matches()) {
                    isDate = true;
                    digits.append('[').append(inside.toLowerCase(Locale.ROOT)).append(']');
                }
                i = end;
            } else if (code.regionMatches(true, i, "General", 0, 7)) {
                isGeneral = true;
                i += 6;
            } else if (code.regionMatches(true, i, "AM/PM", 0, 5)) {
                i += 4;
            } else if ("0#?.,%E".indexOf(c) >= 0 || (c == '/' && !isDate)) {
                digits.append(c);
            } else if ((c == '+' || c == '-') && digits.toString().endsWith("E")) {
                digits.append(c);
            } else if ("ymdhsYMDHSge年月日".indexOf(c) >= 0) {
                isDate = true;
                digits.append(Character.toLowerCase(c));
            } else if (c != '@') {
                literal.append(c);
            }
        }
        return new FormatSection(
                before.toString(),
                digits.toString(),
                after.toString(),
                kind(digits, isDate, isGeneral));
    }

    private static Kind kind(StringBuilder digits, boolean isDate, boolean isGeneral) {
        if (isDate) {
            return Kind.DATE;
        }
        if (isGeneral) {
            return Kind.GENERAL;
        }
        return digits.isEmpty() ? Kind.TEXT : Kind.NUMBER;
    }

    boolean isDate() {
        return kind == Kind.DATE;
    }

    boolean isGeneral() {
        return kind == Kind.GENERAL;
    }

    /** The text with the literals around it. */
    String around(String text) {
        return (before + text + after).strip();
    }

    String number(BigDecimal number) {
        if (kind == Kind.TEXT) {
            return around(before.isEmpty() && after.isEmpty() ? number.toPlainString() : "");
        }
        if (digits.indexOf('/') >= 0) {
            return around(CellFormat.general(number.toString()));
        }
        if (digits.indexOf('E') >= 0) {
            int places = places(digits.substring(0, digits.indexOf('E')));
            return around(String.format(Locale.ROOT, "%." + places + "E", number.doubleValue()));
        }
        return around(decimal(number));
    }

    private String decimal(BigDecimal number) {
        boolean isPercent = digits.indexOf('%') >= 0;
        String mask = digits.replace("%", "");
        BigDecimal scaled = isPercent ? number.movePointRight(2) : number;
        while (mask.endsWith(",")) {
            mask = mask.substring(0, mask.length() - 1);
            scaled = scaled.movePointLeft(GROUP);
        }
        int point = mask.indexOf('.');
        String whole = point < 0 ? mask : mask.substring(0, point);
        int optional = point < 0 ? 0 : optionalPlaces(mask.substring(point + 1));
        BigDecimal rounded = scaled.setScale(places(mask), RoundingMode.HALF_UP);
        String text = rounded.abs().toPlainString();
        for (int i = 0; i < optional && text.endsWith("0") && text.indexOf('.') >= 0; i++) {
            text = text.substring(0, text.length() - 1);
        }
        text = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        text = padded(text, (int) whole.chars().filter(c -> c == '0').count());
        String grouped = whole.indexOf(',') >= 0 ? grouped(text) : text;
        return (rounded.signum() < 0 ? "-" : "") + grouped + (isPercent ? "%" : "");
    }

    /** Leading zeros, as identifiers such as 00042 have them. */
    private static String padded(String text, int digits) {
        int point = text.indexOf('.');
        int whole = point < 0 ? text.length() : point;
        return "0".repeat(Math.max(0, digits - whole)) + text;
    }

    private static String grouped(String text) {
        int point = text.indexOf('.');
        int whole = point < 0 ? text.length() : point;
        StringBuilder grouped = new StringBuilder(text);
        for (int i = whole - GROUP; i > 0; i -= GROUP) {
            grouped.insert(i, ',');
        }
        return grouped.toString();
    }

    private static int places(String mask) {
        int point = mask.indexOf('.');
        if (point < 0) {
            return 0;
        }
        return (int) mask.substring(point + 1).chars().filter(c -> "0#?".indexOf(c) >= 0).count();
    }

    private static int optionalPlaces(String fraction) {
        return (int) fraction.chars().filter(c -> c == '#' || c == '?').count();
    }
}
