/** Documents that the tests make themselves, with known texts. */
@NullMarked
package dev.satchel.documents;

import org.jspecify.annotations.NullMarked;
