/** OpenAI's protocols: chat completions, responses, models and files, over the same turns. */
@NullMarked
package dev.satchel.server.dialect.openai;

import org.jspecify.annotations.NullMarked;
