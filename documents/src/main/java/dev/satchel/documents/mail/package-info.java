/** Mail: messages, their bodies and the names of their attachments. */
@NullMarked
package dev.satchel.documents.mail;

import org.jspecify.annotations.NullMarked;
