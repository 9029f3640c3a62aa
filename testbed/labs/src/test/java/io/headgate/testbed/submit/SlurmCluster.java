package io.headgate.testbed.submit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;

/**
 * Slurm of Debian's packages with this machine as its one node of two cores: munge, slurmctld and
 * slurmd as processes of ours, and all their files in a scratch directory.
 */
final class SlurmCluster {
    private static final Duration START = Duration.ofSeconds(60);
    private static final int KEY_BYTES = 128;

    private final Scratch scratch;
    private Process controller;

    SlurmCluster(Scratch scratch) throws Exception {
        this.scratch = scratch;
        for (String name : new String[] {"etc", "run", "log", "spool", "state", "munge"}) {
            Files.setPosixFilePermissions(
                    scratch.directory(name), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        authentication();
        String host = InetAddress.getLocalHost().getHostName().replaceAll("\\..*", "");
        Path configuration = scratch.write("etc/slurm.conf", configuration(host));
        scratch.set("SLURM_CONF", configuration.toString());
        controller = scratch.start("log/controller.out", "slurmctld", "-D");
        scratch.start("log/node.out", "slurmd", "-D");
        Scratch.await("the node is idle", START, () -> says("idle", "sinfo", "--noheader"));
    }

    private void authentication() throws Exception {
        byte[] secret = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(secret);
        Path key = Files.write(scratch.path("munge/key"), secret);
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        scratch.start(
                "log/munge.out",
                "munged",
                "--foreground",
                "--key-file=" + key,
                "--socket=" + scratch.path("munge/socket"),
                "--pid-file=" + scratch.path("munge/pid"),
                "--log-file=" + scratch.path("munge/log"),
                "--seed-file=" + scratch.path("munge/seed"));
        Scratch.await("munge answers", START, () -> Files.exists(scratch.path("munge/socket")));
    }

    /** A requeued job may start again after cred_expire, which is two minutes otherwise. */
    private String configuration(String host) throws IOException {
        return """
        ClusterName=headgate
        SlurmctldHost=@HOST@(127.0.0.1)
        SlurmUser=root
        SlurmdUser=root
        AuthType=auth/munge
        AuthInfo=socket=@AT@/munge/socket,cred_expire=5
        CredType=cred/munge
        MpiDefault=none
        ProctrackType=proctrack/linuxproc
        TaskPlugin=task/none
        JobAcctGatherType=jobacct_gather/none
        AccountingStorageType=accounting_storage/none
        JobCompType=jobcomp/none
        SchedulerType=sched/backfill
        SelectType=select/cons_tres
        SelectTypeParameters=CR_Core
        SwitchType=switch/none
        ReturnToService=2
        StateSaveLocation=@AT@/state
        SlurmdSpoolDir=@AT@/spool
        SlurmctldPidFile=@AT@/run/slurmctld.pid
        SlurmdPidFile=@AT@/run/slurmd.pid
        SlurmctldLogFile=@AT@/log/slurmctld
        SlurmdLogFile=@AT@/log/slurmd
        SlurmctldPort=@CONTROLLER@
        SlurmdPort=@NODE@
        KillWait=10
        MailProg=/bin/true
        NodeName=@HOST@ NodeAddr=127.0.0.1 CPUs=2 RealMemory=2048 Boards=1 SocketsPerBoard=1 CoresPerSocket=2 \
        ThreadsPerCore=1 State=UNKNOWN
        PartitionName=all Nodes=@HOST@ Default=YES MaxTime=INFINITE State=UP
        """
                .replace("@HOST@", host)
                .replace("@AT@", scratch.path("").toString())
                .replace("@CONTROLLER@", Integer.toString(freePort()))
                .replace("@NODE@", Integer.toString(freePort()));
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    boolean says(String text, String... command) throws Exception {
        try {
            return scratch.run(command).contains(text);
        } catch (IOException e) {
            return false;
        }
    }

    /** Sends a job back into the queue, to be started again as soon as that is allowed. */
    void requeue(String job) throws Exception {
        scratch.run("scontrol", "requeue", job);
        Scratch.await(
                job + " may start again",
                START,
                () -> says("", "scontrol", "update", "JobId=" + job, "StartTime=now"));
    }

    void restartController() throws Exception {
        Scratch.end(controller);
        controller = scratch.start("log/controller-again.out", "slurmctld", "-D");
        Scratch.await("Slurm answers", START, () -> says("", "squeue"));
    }
}
