package dev.satchel.runner.workspace;

import java.io.IOException;
import java.nio.file.Path;

class StreamDirectoryTest extends SafeDirectoryContract {
    @Override
    SafeDirectory open(Path root) throws IOException {
        return StreamDirectory.open(root);
    }
}
