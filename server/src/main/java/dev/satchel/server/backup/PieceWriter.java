package dev.satchel.server.backup;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Divides lines into pieces. Where a piece ends depends only on the lines, so that a change of one
 * line changes one or two pieces, and a later backup stores only those.
 */
final class PieceWriter {
    private static final int MIN_BYTES = 32 * 1024;
    private static final int USUAL_BYTES = 192 * 1024;
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private final BackupPlace place;
    private final List<String> pieces = new ArrayList<>();
    private final ByteArrayOutputStream piece = new ByteArrayOutputStream();

    PieceWriter(BackupPlace place) {
        this.place = place;
    }

    /** A line without its end. */
    void add(byte[] line) throws IOException {
        piece.writeBytes(line);
        piece.write('\n');
        if (piece.size() >= MAX_BYTES || (piece.size() >= MIN_BYTES && isBoundary(line))) {
            end();
        }
    }

    /** The hashes of all pieces. */
    List<String> finish() throws IOException {
        if (piece.size() > 0) {
            end();
        }
        return List.copyOf(pieces);
    }

    private void end() throws IOException {
        pieces.add(place.storePiece(piece.toByteArray()));
        piece.reset();
    }

    /** A long line is one more often, so that pieces have about the same size. */
    private static boolean isBoundary(byte[] line) {
        CRC32C sum = new CRC32C();
        sum.update(line);
        return sum.getValue() < (1L << 32) / USUAL_BYTES * Math.min(line.length, USUAL_BYTES);
    }
}
