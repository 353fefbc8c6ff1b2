package dev.satchel.bench.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** A log of so many mebibytes: lines of about a hundred characters, the same block over again. */
public record LargeFile(int mebibytes) {
    private static final int BLOCK = 16 << 20;
    private static final String[] WORDS = {
        "GET /api/orders/", "POST /api/baskets/", "GET /static/page-", "DELETE /api/sessions/"
    };

    public Path write(Path file) throws IOException {
        byte[] block = block();
        long left = (long) mebibytes << 20;
        try (OutputStream out = Files.newOutputStream(file)) {
            while (left > 0) {
                int more = (int) Math.min(left, block.length);
                out.write(block, 0, more);
                left -= more;
            }
        }
        return file;
    }

    private static byte[] block() {
        Random random = new Random(BLOCK);
        StringBuilder lines = new StringBuilder(BLOCK + 256);
        for (long number = 0; lines.length() < BLOCK; number++) {
            lines.append(line(number, random));
        }
        return lines.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static String line(long number, Random random) {
        return number
                + " 10.1."
                + random.nextInt(256)
                + ' '
                + WORDS[random.nextInt(WORDS.length)]
                + Long.toHexString(random.nextLong())
                + " status="
                + (200 + 100 * random.nextInt(3))
                + " took="
                + random.nextInt(5_000)
                + "ms agent=\"Mozilla/5.0 (X11; Linux)\" bytes="
                + random.nextInt(1 << 20)
                + '\n';
    }
}
