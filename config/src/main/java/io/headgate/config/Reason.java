package io.headgate.config;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * Says in words why something, mostly a file or an address, could not be used. People should not
 * have to read exception names, or "null" if an exception has no message.
 */
public final class Reason {
    private Reason() {}

    /** A few words, to be written after a colon. */
    public static String of(Throwable failure) {
        return switch (failure) {
            case NoSuchFileException e -> "there is no " + e.getFile();
            case AccessDeniedException e -> "permission denied for " + e.getFile();
            case FileAlreadyExistsException e -> e.getFile() + " exists already";
            case NotDirectoryException e -> e.getFile() + " is not a directory";
            case DirectoryNotEmptyException e -> e.getFile() + " is not empty";
            case FileSystemException e when e.getReason() != null -> e.getReason();
            case UnsupportedAddressTypeException _ ->
                    "addresses of this family cannot be used here; IPv6 may be disabled";
            case UnresolvedAddressException _ -> "no address is known for this name";
            case ClosedChannelException _ -> "it is closed already";
            default -> {
                String said = failure.getMessage();
                Throwable cause = failure.getCause();
                // Without words of its own, an exception may have its cause's name as its message.
                if (cause != null && (said == null || said.equals(cause.toString()))) {
                    yield of(cause);
                }
                if (said != null) {
                    yield said;
                }
                yield failure instanceof IOException
                        ? "the file system does not say why"
                        : "no reason is known";
            }
        };
    }
}
