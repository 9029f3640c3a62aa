package io.headgate.config;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * Why something, mostly a file, could not be used; people should not have to read exception names.
 */
public final class Reason {
    private Reason() {}

    /** A few words, to stand behind a colon. */
    public static String of(Exception failure) {
        return switch (failure) {
            case NoSuchFileException e -> "there is no " + e.getFile();
            case AccessDeniedException e -> "permission denied for " + e.getFile();
            case FileAlreadyExistsException e -> e.getFile() + " exists already";
            case NotDirectoryException e -> e.getFile() + " is not a directory";
            case DirectoryNotEmptyException e -> e.getFile() + " is not empty";
            case FileSystemException e when e.getReason() != null -> e.getReason();
            default -> {
                String said = failure.getMessage();
                String unknown =
                        failure instanceof IOException
                                ? "the file system does not say why"
                                : "no reason is known";
                yield said == null ? unknown : said;
            }
        };
    }
}
