/** How long a search takes among very many messages. */
@NullMarked
package dev.satchel.bench.search;

import org.jspecify.annotations.NullMarked;
