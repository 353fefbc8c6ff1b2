package dev.satchel.server.search;

import dev.satchel.server.access.TenantId;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * The words that the triggers of the index add to every entry, and that say whose it is. An entry
 * must have one word of each group.
 */
record SearchMarks(List<List<String>> groups) {
    SearchMarks {
        groups = groups.stream().map(List::copyOf).toList();
    }

    /** Entries of the person, and assets, which are shared in a tenant. */
    static SearchMarks ofPerson(SearchRequest request) {
        String tenant = hex(request.caller().tenant());
        String person = "§p" + tenant + "x" + hex(request.caller().user().value());
        if (!request.inFiles()) {
            return new SearchMarks(List.of(List.of(person), List.of("§m" + tenant)));
        }
        List<String> visible = List.of(person, "§a" + tenant);
        return new SearchMarks(
                request.inMessages() ? List.of(visible) : List.of(visible, List.of("§f" + tenant)));
    }

    /** Entries of everybody in the tenant, as versions before had no words of persons. */
    static SearchMarks ofTenant(SearchRequest request) {
        String tenant = hex(request.caller().tenant());
        if (request.inMessages() && request.inFiles()) {
            return new SearchMarks(List.of(List.of("§" + tenant)));
        }
        return new SearchMarks(List.of(List.of((request.inFiles() ? "§f" : "§m") + tenant)));
    }

    private static String hex(TenantId tenant) {
        return hex(tenant.value());
    }

    private static String hex(String id) {
        return HexFormat.of()
                .formatHex(id.getBytes(StandardCharsets.UTF_8))
                .toLowerCase(Locale.ROOT);
    }
}
