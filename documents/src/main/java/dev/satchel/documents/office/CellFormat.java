package dev.satchel.documents.office;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A number format of a workbook such as {@code #,##0.00 "kg"}. Numbers look as the sheet shows
 * them; dates are written as in ISO 8601, whatever order the format has.
 */
final class CellFormat {
    static final CellFormat GENERAL = new CellFormat(List.of());

    private static final int SIGNIFICANT_DIGITS = 15;
    private static final int MAX_CODE = 1000;
    private static final int MAX_PLAIN_EXPONENT = 21;
    private static final Pattern GENERAL_CODE = Pattern.compile("(?i)general|@|");

    /** For positive numbers, negative ones and zero. */
    private final List<FormatSection> sections;

    private CellFormat(List<FormatSection> sections) {
        this.sections = sections;
    }

    static CellFormat parse(String code) {
        if (code.length() > MAX_CODE || GENERAL_CODE.matcher(code.strip()).matches()) {
            return GENERAL;
        }
        List<FormatSection> sections = new ArrayList<>();
        for (String section : split(code)) {
            sections.add(FormatSection.parse(section));
        }
        return new CellFormat(sections);
    }

    /**
     * A number as the sheet shows it.
     *
     * @param is1904 whether the workbook counts days from 1904 on
     */
    String format(String stored, boolean is1904) {
        if (sections.isEmpty()) {
            return general(stored);
        }
        BigDecimal number;
        try {
            number = new BigDecimal(stored.strip(), MathContext.DECIMAL64);
        } catch (NumberFormatException _) {
            return stored;
        }
        if (Math.abs((long) number.precision() - number.scale()) > MAX_PLAIN_EXPONENT) {
            return general(stored);
        }
        int sign = number.signum();
        boolean hasNegative = sections.size() > 1 && sign < 0;
        boolean hasZero = sections.size() > 2 && sign == 0;
        FormatSection section = sections.get(hasNegative ? 1 : hasZero ? 2 : 0);
        if (section.isDate()) {
            return SheetDate.format(number.doubleValue(), section, is1904);
        }
        if (section.isGeneral()) {
            return section.around(general(hasNegative ? number.abs().toString() : stored));
        }
        return section.number(hasNegative ? number.abs() : number);
    }

    /** A number without a format: up to 15 digits, as spreadsheets calculate. */
    static String general(String stored) {
        if (isPlain(stored)) {
            return stored;
        }
        try {
            BigDecimal number =
                    new BigDecimal(
                                    stored.strip(),
                                    new MathContext(SIGNIFICANT_DIGITS, RoundingMode.HALF_UP))
                            .stripTrailingZeros();
            long exponent = (long) number.precision() - number.scale();
            return exponent > MAX_PLAIN_EXPONENT || exponent < -9
                    ? number.toString().toUpperCase(Locale.ROOT)
                    : number.toPlainString();
        } catch (NumberFormatException | ArithmeticException _) {
            return stored;
        }
    }

    /** Whether it is shown as it is stored, as nearly all numbers are: 42 or -0.5. */
    private static boolean isPlain(String stored) {
        int start = stored.startsWith("-") ? 1 : 0;
        int length = stored.length();
        int point = -1;
        for (int i = start; i < length; i++) {
            char c = stored.charAt(i);
            if (c == '.' && point < 0) {
                point = i;
            } else if (c < '0' || c > '9') {
                return false;
            }
        }
        int whole = (point < 0 ? length : point) - start;
        boolean hasLeadingZero = whole > 1 && stored.charAt(start) == '0';
        boolean hasLastZero = point >= 0 && stored.charAt(length - 1) == '0';
        return whole > 0
                && length - start <= SIGNIFICANT_DIGITS
                && point != length - 1
                && !hasLeadingZero
                && !hasLastZero;
    }

    private static List<String> split(String code) {
        List<String> sections = new ArrayList<>();
        int start = 0;
        boolean isQuoted = false;
        for (int i = 0; i < code.length(); i++) {
            char c = code.charAt(i);
            if (c == '"') {
                isQuoted = !isQuoted;
            } else if (c == '\\' && !isQuoted) {
                i++;
            } else if (c == ';' && !isQuoted) {
                sections.add(code.substring(start, i));
                start = i + 1;
            }
        }
        sections.add(code.substring(start));
        return sections;
    }
}
