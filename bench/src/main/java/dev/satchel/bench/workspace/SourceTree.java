package dev.satchel.bench.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** A workspace like a source tree: some folders, many small texts. */
record SourceTree(Path root, int files) {
    private static final int FILES_PER_FOLDER = 100;
    private static final int AVERAGE_BYTES = 4_096;

    SourceTree make() throws IOException {
        Random random = new Random(files);
        for (int i = 0; i < files; i++) {
            Path file = file(i);
            if (i % FILES_PER_FOLDER == 0) {
                Files.createDirectories(file.getParent());
            }
            Files.writeString(file, text(random));
        }
        return this;
    }

    /** Rewrites every n-th file. */
    void change(int every, long seed) throws IOException {
        Random random = new Random(seed);
        for (int i = random.nextInt(every); i < files; i += every) {
            Files.writeString(file(i), text(random));
        }
    }

    private Path file(int number) {
        int folder = number / FILES_PER_FOLDER;
        return root.resolve("part-%d/module-%d".formatted(folder / 10, folder))
                .resolve("file-%05d.txt".formatted(number));
    }

    /** It packs about as well as source code does. */
    private static String text(Random random) {
        int length = AVERAGE_BYTES / 2 + random.nextInt(AVERAGE_BYTES);
        StringBuilder text = new StringBuilder(length + 32);
        while (text.length() < length) {
            text.append("value%d = compute(%d);\n".formatted(random.nextInt(), text.length()));
        }
        return text.toString();
    }
}
