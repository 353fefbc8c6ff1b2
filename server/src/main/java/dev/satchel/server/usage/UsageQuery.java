package dev.satchel.server.usage;

import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A period of whole days in UTC, both included, and what to group by. */
record UsageQuery(LocalDate from, LocalDate to, GroupBy groupBy) {
    private static final int USUAL_DAYS = 30;

    enum GroupBy {
        DAY,
        MODEL,
        USER,
        CHAT,
        AGENT;

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    UsageQuery {
        if (to.isBefore(from)) {
            throw Fields.invalid("to", "is before from");
        }
    }

    /** Without a period the last 30 days. */
    static UsageQuery of(Exchange exchange, LocalDate today) {
        LocalDate to = exchange.query("to").map(text -> date("to", text)).orElse(today);
        LocalDate from =
                exchange.query("from")
                        .map(text -> date("from", text))
                        .orElse(to.minusDays(USUAL_DAYS - 1L));
        return new UsageQuery(from, to, groupBy(exchange.query("groupBy")));
    }

    long fromMillis() {
        return millis(from);
    }

    /** The first moment after the period. */
    long toMillis() {
        return millis(to.plusDays(1));
    }

    private static long millis(LocalDate date) {
        return date.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    }

    private static LocalDate date(String field, String text) {
        try {
            LocalDate date = LocalDate.parse(text);
            if (date.getYear() >= 1970 && date.getYear() <= 9999) {
                return date;
            }
        } catch (DateTimeParseException e) {
            // refused below
        }
        throw Fields.invalid(field, "must be a day such as 2026-11-16");
    }

    private static GroupBy groupBy(Optional<String> text) {
        return text.map(
                        name ->
                                Stream.of(GroupBy.values())
                                        .filter(group -> group.wireName().equals(name))
                                        .findFirst()
                                        .orElseThrow(() -> Fields.invalid("groupBy", choices())))
                .orElse(GroupBy.DAY);
    }

    private static String choices() {
        return Stream.of(GroupBy.values())
                .map(GroupBy::wireName)
                .collect(Collectors.joining(", ", "must be one of ", ""));
    }
}
