/** The API's description and a page to read it, both without any remote resource. */
@NullMarked
package dev.satchel.server.docs;

import org.jspecify.annotations.NullMarked;
