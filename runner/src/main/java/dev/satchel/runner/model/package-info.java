/** Asks a language model, over LangChain4j; nothing outside this package knows of it. */
@NullMarked
package dev.satchel.runner.model;

import org.jspecify.annotations.NullMarked;
