package io.headgate.testbed.submit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;

/**
 * An sshd of ours, for keys of ours; every user who logs in gets an empty home in the scratch
 * directory, and JVMs that are started for seconds.
 */
final class SshServer {
    SshServer(Scratch scratch) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        for (String key : new String[] {"host-key", "user-key"}) {
            scratch.run(
                    "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", scratch.path(key) + "");
        }
        Path home = scratch.directory("home");
        Path server =
                scratch.write(
                        "sshd_config",
                        """
                        ListenAddress 127.0.0.1
                        Port @PORT@
                        HostKey @AT@/host-key
                        PidFile @AT@/sshd.pid
                        AuthorizedKeysFile @AT@/user-key.pub
                        StrictModes no
                        UsePAM no
                        PasswordAuthentication no
                        PermitRootLogin prohibit-password
                        ForceCommand cd @HOME@ && HOME=@HOME@ HEADGATE_JAVA_OPTS=@JAVA@ exec sh -c "$SSH_ORIGINAL_COMMAND"
                        """
                                .replace("@PORT@", Integer.toString(port))
                                .replace("@JAVA@", "-XX:TieredStopAtLevel=1")
                                .replace("@HOME@", home.toString())
                                .replace("@AT@", scratch.path("").toString()));
        Path client =
                scratch.write(
                        "ssh_config",
                        """
                        Host localhost
                            Port @PORT@
                            User root
                            IdentityFile @AT@/user-key
                            IdentitiesOnly yes
                            StrictHostKeyChecking no
                            UserKnownHostsFile @AT@/known-hosts
                        """
                                .replace("@PORT@", Integer.toString(port))
                                .replace("@AT@", scratch.path("").toString()));
        scratch.set("PARALLEL_SSH", "ssh -F " + client);
        scratch.set("XDG_CACHE_HOME", scratch.path("cache").toString());
        // It wants /run/sshd, which its package's service makes: here in a /run of its own.
        scratch.start(
                "sshd.out",
                "unshare",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd &&"
                        + " exec /usr/sbin/sshd -D -e -f \"$0\"",
                server.toString());
        Scratch.await("sshd answers", Duration.ofSeconds(30), () -> answers(port));
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
