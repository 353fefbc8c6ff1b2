package dev.satchel.server.workspace.archive;

import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.file.ArchiveEntryNames;
import dev.satchel.server.workspace.WorkspaceFile;
import dev.satchel.server.workspace.WorkspaceView;
import dev.satchel.server.workspace.files.ListingFilter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A whole workspace as one archive, written while the workspace is read. If that fails, the end of
 * the archive is missing, so that a client recognizes an incomplete one. No entry and no link of an
 * archive leads out of the folder into which it is unpacked.
 */
enum ArchiveFormat {
    TAR_GZ("tar.gz", "application/gzip") {
        // links are entries of their own, as in the workspace
        @Override
        boolean leavesOut(WorkspaceView view, WorkspaceEntry link) throws IOException {
            return LinkTargets.inside(view, link.path()).isEmpty();
        }

        @Override
        void write(WorkspaceView view, ListingFilter filter, OutputStream out) throws IOException {
            GZIPOutputStream gzip = new GZIPOutputStream(out, BUFFER);
            TarWriter tar = new TarWriter(gzip);
            view.walk(
                    entry -> {
                        if (filter.excludes(entry)) {
                            return false;
                        }
                        add(tar, view, entry);
                        return true;
                    });
            tar.finish();
            gzip.finish();
        }
    },
    ZIP("zip", "application/zip") {
        // not every program understands links in a zip, so the file of a link is written instead
        @Override
        boolean leavesOut(WorkspaceView view, WorkspaceEntry link) throws IOException {
            Optional<WorkspaceFile> file = opened(view, link.path());
            if (file.isPresent()) {
                file.get().close();
            }
            return file.isEmpty();
        }

        @Override
        void write(WorkspaceView view, ListingFilter filter, OutputStream out) throws IOException {
            ZipOutputStream zip = new ZipOutputStream(out);
            zip.setLevel(Deflater.BEST_SPEED);
            view.walk(
                    entry -> {
                        if (filter.excludes(entry)) {
                            return false;
                        }
                        add(zip, view, entry);
                        return true;
                    });
            zip.finish();
        }
    };

    private static final int BUFFER = 64 * 1024;

    private final String extension;
    private final String contentType;

    ArchiveFormat(String extension, String contentType) {
        this.extension = extension;
        this.contentType = contentType;
    }

    String extension() {
        return extension;
    }

    String contentType() {
        return contentType;
    }

    /** The entries that the archive will not have: links that lead out, devices and the like. */
    List<WorkspacePath> leftOut(WorkspaceView view, ListingFilter filter) throws IOException {
        List<WorkspacePath> paths = new ArrayList<>();
        view.visit(
                entry -> !filter.excludes(entry),
                entry -> {
                    boolean missing =
                            switch (entry.stat().kind()) {
                                case FILE, DIRECTORY -> false;
                                case LINK -> leavesOut(view, entry);
                                case OTHER -> true; // FIFOs, sockets and devices have no content
                            };
                    if (missing) {
                        paths.add(entry.path());
                    }
                });
        return paths;
    }

    abstract boolean leavesOut(WorkspaceView view, WorkspaceEntry link) throws IOException;

    /** Leaves the stream open. */
    abstract void write(WorkspaceView view, ListingFilter filter, OutputStream out)
            throws IOException;

    private static void add(TarWriter tar, WorkspaceView view, WorkspaceEntry entry)
            throws IOException {
        switch (entry.stat().kind()) {
            case DIRECTORY -> tar.directory(entry.path(), entry.stat());
            case LINK -> {
                Optional<String> target = LinkTargets.inside(view, entry.path());
                if (target.isPresent()) {
                    tar.link(entry.path(), entry.stat(), target.get());
                }
            }
            case FILE -> {
                Optional<WorkspaceFile> opened = opened(view, entry.path());
                if (opened.isPresent()) {
                    try (WorkspaceFile file = opened.get();
                            InputStream in = file.open(0, file.size())) {
                        tar.file(entry.path(), file.stat(), in);
                    }
                }
            }
            case OTHER -> {} // left out
        }
    }

    private static void add(ZipOutputStream zip, WorkspaceView view, WorkspaceEntry entry)
            throws IOException {
        if (entry.stat().isDirectory()) {
            zip.putNextEntry(zipEntry(entry, entry.path().value() + "/"));
            zip.closeEntry();
            return;
        }
        Optional<WorkspaceFile> opened = opened(view, entry.path());
        if (opened.isEmpty()) {
            return;
        }
        try (WorkspaceFile file = opened.get();
                InputStream in = file.open(0, file.size())) {
            zip.putNextEntry(zipEntry(entry, entry.path().value()));
            in.transferTo(zip);
            zip.closeEntry();
        }
    }

    private static ZipEntry zipEntry(WorkspaceEntry entry, String name) {
        ZipEntry zipped = new ZipEntry(ArchiveEntryNames.portable(name));
        zipped.setTime(entry.stat().modified().toEpochMilli());
        return zipped;
    }

    /** Empty for a file that was removed meanwhile, is outside or is not regular. */
    private static Optional<WorkspaceFile> opened(WorkspaceView view, WorkspacePath path)
            throws IOException {
        try {
            return Optional.of(view.open(path));
        } catch (FileSystemException e) {
            return Optional.empty();
        }
    }
}
