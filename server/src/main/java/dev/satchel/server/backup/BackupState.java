package dev.satchel.server.backup;

import java.util.List;

/**
 * One backup: the rows and objects of one moment. Written last, so that a backup that has a state
 * is complete.
 *
 * @param format the form of this record and of what it names
 * @param takenAt milliseconds since 1970
 * @param step the newest step of the schema
 * @param version the program that wrote it
 * @param tables in an order in which their rows can be inserted
 * @param objects the hashes of the pieces that list the objects
 */
record BackupState(
        int format,
        long takenAt,
        int step,
        String version,
        List<Table> tables,
        List<String> objects,
        long objectCount,
        long objectBytes) {
    static final int FORMAT = 1;

    BackupState {
        tables = List.copyOf(tables);
        objects = List.copyOf(objects);
    }

    /**
     * The rows of a table.
     *
     * @param digest the sum of the rows' hashes, as hexadecimal number
     * @param pieces the hashes of the pieces that have the rows
     */
    record Table(String name, List<String> columns, long rows, String digest, List<String> pieces) {
        Table {
            columns = List.copyOf(columns);
            pieces = List.copyOf(pieces);
        }
    }

    long rowsOf(String table) {
        return tables.stream().filter(it -> it.name().equals(table)).mapToLong(Table::rows).sum();
    }

    long rows() {
        return tables.stream().mapToLong(Table::rows).sum();
    }
}
