package dev.satchel.documents.office;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

/** Days since 1900 or 1904, as spreadsheets store dates and times. */
final class SheetDate {
    private static final LocalDate DAY_ZERO = LocalDate.of(1899, 12, 30);
    private static final LocalDate DAY_ZERO_1904 = LocalDate.of(1904, 1, 1);

    /** Excel believes that 1900 had a 29 February. */
    private static final int FIRST_RIGHT_DAY = 61;

    private static final double LAST_DAY = 2_958_466;
    private static final long SECONDS_OF_DAY = Duration.ofDays(1).toSeconds();
    private static final DateTimeFormatter MINUTES = DateTimeFormatter.ofPattern("HH:mm");
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("HH:mm:ss");

    private SheetDate() {}

    /** The date, the time or both, depending on what the format shows. */
    static String format(double days, FormatSection format, boolean is1904) {
        String code = format.digits();
        if (code.indexOf('[') >= 0) {
            return elapsed(days, code);
        }
        if (days < 0 || days >= LAST_DAY) {
            return CellFormat.general(String.valueOf(days));
        }
        boolean hasTime = code.indexOf('h') >= 0 || code.indexOf('s') >= 0;
        boolean hasDate =
                code.indexOf('y') >= 0
                        || code.indexOf('d') >= 0
                        || code.indexOf('月') >= 0
                        || (code.indexOf('m') >= 0 && !hasTime);
        try {
            LocalDateTime time = at(days, is1904);
            DateTimeFormatter clock = code.indexOf('s') >= 0 ? SECONDS : MINUTES;
            if (hasDate && hasTime) {
                return time.toLocalDate() + " " + clock.format(time);
            }
            return hasTime ? clock.format(time) : time.toLocalDate().toString();
        } catch (DateTimeException | ArithmeticException _) {
            return CellFormat.general(String.valueOf(days));
        }
    }

    private static LocalDateTime at(double days, boolean is1904) {
        long seconds = Math.round(days * SECONDS_OF_DAY);
        long day = Math.floorDiv(seconds, SECONDS_OF_DAY);
        LocalDate zero = is1904 ? DAY_ZERO_1904 : DAY_ZERO;
        boolean isBefore = !is1904 && day < FIRST_RIGHT_DAY && day > 0;
        return zero.plusDays(isBefore ? day + 1 : day)
                .atStartOfDay()
                .plusSeconds(Math.floorMod(seconds, SECONDS_OF_DAY));
    }

    /** Hours may go beyond 24, as in {@code [h]:mm}. */
    private static String elapsed(double days, String code) {
        Duration duration = Duration.ofSeconds(Math.round(Math.abs(days) * SECONDS_OF_DAY));
        String sign = days < 0 ? "-" : "";
        if (code.contains("[m")) {
            return "%s%d:%02d".formatted(sign, duration.toMinutes(), duration.toSecondsPart());
        }
        if (code.contains("[s")) {
            return sign + duration.toSeconds();
        }
        String hours = "%s%d:%02d".formatted(sign, duration.toHours(), duration.toMinutesPart());
        boolean hasSeconds = code.indexOf('s') >= 0;
        return hasSeconds ? hours + ":%02d".formatted(duration.toSecondsPart()) : hours;
    }
}
