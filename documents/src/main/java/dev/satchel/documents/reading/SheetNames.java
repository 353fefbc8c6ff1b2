package dev.satchel.documents.reading;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine.Failure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the sheet that a request names. */
public final class SheetNames {
    private SheetNames() {}

    /** The number of the sheet with this name or number, from 1 on; 0 for all if there is none. */
    public static int find(@Nullable String wanted, List<String> names) throws DocumentException {
        if (wanted == null) {
            return 0;
        }
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equals(wanted)) {
                return i + 1;
            }
        }
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).strip().equalsIgnoreCase(wanted.strip())) {
                return i + 1;
            }
        }
        if (wanted.strip().matches("\\d{1,6}")) {
            int number = Integer.parseInt(wanted.strip());
            if (number >= 1 && number <= names.size()) {
                return number;
            }
        }
        throw new DocumentException(
                Failure.Code.UNSUPPORTED,
                "There is no sheet " + wanted + ". The sheets are: " + listed(names) + ".");
    }

    private static String listed(List<String> names) {
        return String.join(", ", names.subList(0, Math.min(names.size(), 50)));
    }
}
