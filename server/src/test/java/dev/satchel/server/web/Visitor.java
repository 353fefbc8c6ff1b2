package dev.satchel.server.web;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A person with a browser of their own, logged in; finds things the way people do, by name. */
final class Visitor implements AutoCloseable {
    private static final String LOGIN_LINKS = "/api/login-links";

    private final BrowserContext context;
    private final URI address;
    private final List<String> complaints = new ArrayList<>();
    private final Page page;

    private Visitor(BrowserContext context, URI address) {
        this.context = context;
        this.address = address;
        context.setDefaultTimeout(Chromium.PATIENCE_MILLIS);
        context.onConsoleMessage(
                message -> {
                    if (message.type().equals("error")) {
                        complaints.add(message.text());
                    }
                });
        this.page = context.newPage();
    }

    static Visitor of(TestServer server) throws Exception {
        return at(server, server.url(""), new Browser.NewContextOptions());
    }

    static Visitor of(TestServer server, int width, ColorScheme scheme) throws Exception {
        return at(
                server,
                server.url(""),
                new Browser.NewContextOptions().setViewportSize(width, 800).setColorScheme(scheme));
    }

    /** By another way than the server's own address, such as a proxy. */
    static Visitor at(TestServer server, URI address, Browser.NewContextOptions options)
            throws Exception {
        return at(server.post(LOGIN_LINKS, Map.of()).body(), address, options);
    }

    static Visitor at(ServerProcess server, URI address) throws Exception {
        String created = server.send("POST", LOGIN_LINKS, "{}").body();
        return at(created, address, new Browser.NewContextOptions());
    }

    private static Visitor at(String created, URI address, Browser.NewContextOptions options) {
        Visitor visitor = new Visitor(Chromium.browser().newContext(options), address);
        URI link = URI.create(Json.MAPPER.readTree(created).get("url").stringValue());
        visitor.page.navigate(address + link.getPath() + "?" + link.getQuery());
        visitor.composer().waitFor();
        return visitor;
    }

    Page page() {
        return page;
    }

    BrowserContext context() {
        return context;
    }

    /** What the browser complained about: refused scripts, failed requests, exceptions. */
    List<String> complaints() {
        return complaints;
    }

    Page open(String path) {
        page.navigate(address + path);
        return page;
    }

    Locator composer() {
        return composer(page);
    }

    static Locator composer(Page page) {
        return page.getByRole(AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName("Message"));
    }

    Locator button(String name) {
        return button(page, name);
    }

    static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator text(String text) {
        return page.getByText(text, new Page.GetByTextOptions().setExact(true));
    }

    Locator messages() {
        return page.locator("article.message");
    }

    Locator steps() {
        return page.locator("[data-step]");
    }

    void say(String message) {
        composer().fill(message);
        composer().press("Enter");
    }

    /** Loopback is too fast to see an upload move. */
    void slowUploads(int bytesPerSecond) {
        slowLine(-1, bytesPerSecond);
    }

    void slowDownloads(int bytesPerSecond) {
        slowLine(bytesPerSecond, -1);
    }

    private void slowLine(int down, int up) {
        JsonObject conditions = new JsonObject();
        conditions.addProperty("offline", false);
        conditions.addProperty("latency", 0);
        conditions.addProperty("downloadThroughput", down);
        conditions.addProperty("uploadThroughput", up);
        context.newCDPSession(page).send("Network.emulateNetworkConditions", conditions);
    }

    /** A real drag from the disk: scripts cannot make up a folder. */
    void drop(Path folder) {
        CDPSession devtools = context.newCDPSession(page);
        for (String type : List.of("dragEnter", "dragOver", "drop")) {
            JsonObject data = new JsonObject();
            data.add("items", new JsonArray());
            data.add("files", new Gson().toJsonTree(List.of(folder.toString())));
            data.addProperty("dragOperationsMask", 1);
            JsonObject event = new JsonObject();
            event.addProperty("type", type);
            event.addProperty("x", 400);
            event.addProperty("y", 300);
            event.add("data", data);
            devtools.send("Input.dispatchDragEvent", event);
        }
    }

    /** Of the newest turn. */
    void openTrace() {
        button("More about this turn").last().click();
        page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Trace")).click();
    }

    /** Waits until the turn is over: only then can another begin. */
    void awaitEndOfTurn() {
        button("Retry").last().waitFor();
    }

    /** The chat's id, once the address has it. */
    String chatId() {
        page.waitForURL(Pattern.compile(".*/chats/.+"));
        String url = page.url();
        return url.substring(url.lastIndexOf('/') + 1);
    }

    @Override
    public void close() {
        context.close();
    }
}
