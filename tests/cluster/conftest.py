"""A Ray cluster of two nodes on this machine, each on a loopback address of its own."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest

JOB_SECONDS = 400
START_SECONDS = 300
# Slow machines: Ray gives a node 30 s to start, and its workers less time than others (niceness 15).
QUIET = {"RAY_AUTH_MODE": "disabled", "RAY_raylet_start_wait_time_s": "120", "RAY_USAGE_STATS_ENABLED": "0"}
QUIET |= {"RAY_worker_niceness": "0"}


@dataclass
class Node:
    """`ray start --block`, and everything that it starts."""

    address: str
    process: subprocess.Popen[bytes]

    def children(self) -> list[psutil.Process]:
        try:
            return psutil.Process(self.process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []

    def kill(self) -> None:
        """As a power cut does."""
        for child in [*self.children(), psutil.Process(self.process.pid)]:
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()
        self.process.wait()


@dataclass
class Cluster:
    port: int
    nodes: list[Node] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, **QUIET, "RAY_ADDRESS": f"127.0.0.2:{self.port}"}

    def start(self, address: str, *arguments: str) -> Node:
        command = [Path(sys.executable).with_name("ray"), "start", "--block", f"--node-ip-address={address}"]
        command += ["--num-cpus=2", "--num-gpus=1", "--disable-usage-stats", *arguments]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(command, env={**os.environ, **QUIET}, start_new_session=True, **quiet)
        self.nodes.append(Node(address, process))
        return self.nodes[-1]

    def actors(self, name: str) -> list[psutil.Process]:
        """Processes of actors of a class, on all nodes."""
        found = []
        for child in (child for node in self.nodes for child in node.children()):
            try:
                if any(name in part for part in child.cmdline()):
                    found.append(child)
            except psutil.Error:
                continue
        return found

    def job(self, name: str, *arguments: str) -> subprocess.Popen[str]:
        """A function of tests/cluster/jobs.py in a process of its own."""
        command = [sys.executable, "-m", "tests.cluster.jobs", name, *arguments]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, env=self.environment, text=True, **pipes)

    def alive(self) -> int:
        """Nodes that Ray counts."""
        asked = subprocess.run(
            [sys.executable, "-m", "tests.cluster.jobs", "nodes"],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=START_SECONDS,
        )
        return json.loads(asked.stdout.splitlines()[-1]) if asked.returncode == 0 else 0

    def join(self, address: str, *arguments: str) -> None:
        """Start a node and wait until Ray counts it. On a busy machine a node may give up: it is started again."""
        deadline, node, wanted = time.monotonic() + START_SECONDS, self.start(address, *arguments), len(self.nodes)
        while self.alive() < wanted:
            assert time.monotonic() < deadline, f"the node {address} did not start"
            if node.process.poll() is not None:
                self.nodes.remove(node)
                node = self.start(address, *arguments)
            time.sleep(1)


def finished(job: subprocess.Popen[str]) -> Any:
    """What a job printed last, as JSON; it must end well, and in time."""
    try:
        out, err = job.communicate(timeout=JOB_SECONDS)
    except subprocess.TimeoutExpired:
        job.kill()
        raise
    assert job.returncode == 0, err[-4000:]
    return json.loads(out.splitlines()[-1])


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    pytest.importorskip("ray", reason="the optional extra: pip install 'wgpt[ray]'")
    folder = tempfile.mkdtemp(prefix="ray")  # short: it holds Unix sockets
    cluster = Cluster(port=free_port("127.0.0.2"))
    try:
        head = ("--head", f"--port={cluster.port}", f"--temp-dir={folder}", "--include-dashboard=false")
        cluster.join("127.0.0.2", *head)
        cluster.join("127.0.0.3", f"--address=127.0.0.2:{cluster.port}")
        yield cluster
    finally:
        for node in reversed(cluster.nodes):
            left = node.children()
            if node.process.poll() is None:
                node.process.send_signal(signal.SIGTERM)
                try:
                    node.process.wait(30)
                except subprocess.TimeoutExpired:
                    node.kill()
            for child in left:
                with contextlib.suppress(psutil.NoSuchProcess):
                    child.kill()
        shutil.rmtree(folder, ignore_errors=True)


def free_port(address: str) -> int:
    with socket.socket() as probe:
        probe.bind((address, 0))
        return int(probe.getsockname()[1])
