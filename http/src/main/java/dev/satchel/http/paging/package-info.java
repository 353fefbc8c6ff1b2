/** Lists that are read page by page. */
@NullMarked
package dev.satchel.http.paging;

import org.jspecify.annotations.NullMarked;
