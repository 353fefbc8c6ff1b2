/** What several commands share: the server they call, ids, uploads, downloads and exit codes. */
@NullMarked
package dev.satchel.cli.common;

import org.jspecify.annotations.NullMarked;
