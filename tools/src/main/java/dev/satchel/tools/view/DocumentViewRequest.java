package dev.satchel.tools.view;

import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.ToolArguments;
import dev.satchel.tools.document.DocumentSelection;
import tools.jackson.databind.JsonNode;

/**
 * What is wanted of a document.
 *
 * @param lines of the selected parts together
 * @param render whether a page is shown as a picture
 * @param raw whether a document that is a text file is shown as that file
 */
record DocumentViewRequest(
        DocumentSelection selection, ViewRange lines, boolean render, boolean raw) {

    static DocumentViewRequest of(ToolArguments arguments) throws InvalidArgumentException {
        ViewRange lines = ViewRange.of(arguments);
        boolean render = arguments.flag("render", false);
        DocumentSelection selection = selection(arguments);
        if (render && (selection.pages() == null || !selection.isSinglePage())) {
            throw new InvalidArgumentException("render needs one page, such as pages \"3\"");
        }
        return new DocumentViewRequest(
                selection, lines, render, arguments.flag("raw", isLineWise(arguments)));
    }

    /** Some models send a page or a sheet as a number. */
    private static DocumentSelection selection(ToolArguments arguments)
            throws InvalidArgumentException {
        try {
            return new DocumentSelection(
                    text(arguments, "pages"),
                    text(arguments, "sheet"),
                    arguments.optionalString("range"));
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(String.valueOf(e.getMessage()));
        }
    }

    private static @org.jspecify.annotations.Nullable String text(
            ToolArguments arguments, String name) throws InvalidArgumentException {
        JsonNode value = arguments.find(name);
        return value != null && value.isIntegralNumber()
                ? value.asString()
                : arguments.optionalString(name);
    }

    /** Who asks for lines of a text file means those of the file. */
    private static boolean isLineWise(ToolArguments arguments) {
        return (arguments.has("view_range") || arguments.has("offset") || arguments.has("limit"))
                && !arguments.has("pages")
                && !arguments.has("sheet");
    }
}
