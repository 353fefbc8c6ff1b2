package dev.satchel.server.skill;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.http.multipart.MultipartReader;
import dev.satchel.http.multipart.Part;
import dev.satchel.http.paging.PageRequest;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** {@code /api/skills}: list, upload, read and delete. */
public final class SkillRoutes {
    private static final long MULTIPART_OVERHEAD = 64 * 1024;

    /** The types of a body that is an archive. */
    private static final Set<String> ARCHIVES =
            Set.of(
                    "application/zip",
                    "application/x-zip-compressed",
                    "application/x-tar",
                    "application/gzip",
                    "application/x-gzip",
                    "application/octet-stream");

    private final SkillService skills;
    private final SkillLimits limits;
    private final Authentication access;

    public SkillRoutes(SkillService skills, SkillLimits limits, Authentication access) {
        this.skills = skills;
        this.limits = limits;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get("/api/skills", access.requireCaller(Permission.READ_AGENTS, this::list));
        router.post("/api/skills", access.requireCaller(Permission.WRITE_AGENTS, this::upload));
        router.get("/api/skills/{name}", access.requireCaller(Permission.READ_AGENTS, this::read));
        router.delete(
                "/api/skills/{name}", access.requireCaller(Permission.WRITE_AGENTS, this::delete));
        router.get(
                "/api/skills/{name}/versions",
                access.requireCaller(Permission.READ_AGENTS, this::versions));
        router.get(
                "/api/skills/{name}/archive",
                access.requireCaller(Permission.READ_AGENTS, this::archive));
    }

    private void list(Exchange exchange, Caller caller) {
        exchange.json(
                200,
                new SkillView.All(
                        skills.list(caller.tenant()).stream().map(SkillView::of).toList()));
    }

    private void upload(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        String type = exchange.header("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        Skill stored;
        if (ARCHIVES.contains(type.replaceFirst(";.*", "").strip())) {
            stored = skills.upload(caller.tenant(), exchange.body(limits.maxBytes()), () -> {});
        } else {
            stored = uploadForm(exchange, caller);
        }
        exchange.json(201, SkillView.of(stored));
    }

    /** A form with one file. */
    private Skill uploadForm(Exchange exchange, Caller caller)
            throws IOException, InterruptedException {
        MultipartReader parts =
                MultipartReader.of(exchange, limits.maxBytes() + MULTIPART_OVERHEAD);
        Optional<Part> part = parts.next();
        while (part.isPresent() && part.get().filename().isEmpty()) {
            part = parts.next();
        }
        if (part.isEmpty()) {
            throw Fields.invalid("file", "is required: send a part with a filename");
        }
        return skills.upload(
                caller.tenant(), part.get().content(), () -> requireNoOtherFile(parts));
    }

    private static void requireNoOtherFile(MultipartReader parts) throws IOException {
        for (Optional<Part> part = parts.next(); part.isPresent(); part = parts.next()) {
            if (part.get().filename().isPresent()) {
                throw Fields.invalid("file", "may be sent once: one archive has one skill");
            }
        }
    }

    private void read(Exchange exchange, Caller caller) throws IOException {
        Skill skill = find(exchange, caller);
        exchange.json(200, SkillView.whole(skill, skills.instructions(caller.tenant(), skill)));
    }

    private void versions(Exchange exchange, Caller caller) {
        int limit = PageRequest.limit(exchange);
        long before = number(exchange, "cursor").orElse(Long.MAX_VALUE);
        List<Skill> page = skills.versions(caller.tenant(), name(exchange), before, limit);
        exchange.json(
                200,
                new SkillView.Versions(
                        page.stream().map(SkillView::of).toList(),
                        page.size() < limit
                                ? null
                                : String.valueOf(page.getLast().reference().version())));
    }

    /** As a zip, which can be uploaded again. */
    private void archive(Exchange exchange, Caller caller) throws IOException {
        Skill skill = find(exchange, caller);
        try (InputStream archive = skills.open(caller.tenant(), skill.reference())) {
            exchange.header("Cache-Control", "no-store")
                    .header(
                            "Content-Disposition",
                            "attachment; filename=\"" + skill.name() + ".zip\"");
            try (OutputStream out = exchange.stream(200, "application/zip", skill.size())) {
                if (!exchange.isHead()) {
                    archive.transferTo(out);
                }
            }
        }
    }

    private void delete(Exchange exchange, Caller caller) {
        skills.delete(caller.tenant(), name(exchange));
        exchange.send(204);
    }

    private Skill find(Exchange exchange, Caller caller) {
        SkillName name = name(exchange);
        Optional<Long> version = number(exchange, "version");
        return version.isPresent()
                ? skills.get(caller.tenant(), name, version.get())
                : skills.get(caller.tenant(), name);
    }

    private static Optional<Long> number(Exchange exchange, String parameter) {
        Optional<String> given = exchange.query(parameter);
        if (given.isPresent() && !given.get().matches("[0-9]{1,18}")) {
            throw Fields.invalid(parameter, "is not a number of a version");
        }
        return given.map(Long::parseLong);
    }

    private static SkillName name(Exchange exchange) {
        String name = exchange.pathParameter("name");
        if (!SkillName.isValid(name)) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such skill");
        }
        return new SkillName(name);
    }
}
