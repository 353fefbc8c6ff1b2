package dev.satchel.bench.process;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** A log of so many mebibytes: lines of about a hundred characters, no two alike. */
public record LargeFile(int mebibytes) {
    private static final String[] WORDS = {
        "GET /api/orders/", "POST /api/baskets/", "GET /static/page-", "DELETE /api/sessions/"
    };

    public Path write(Path file) throws IOException {
        Random random = new Random(mebibytes);
        long left = (long) mebibytes << 20;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
            for (long number = 0; left > 0; number++) {
                byte[] line = line(number, random).getBytes(StandardCharsets.US_ASCII);
                out.write(line, 0, (int) Math.min(left, line.length));
                left -= line.length;
            }
        }
        return file;
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
