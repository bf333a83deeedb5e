"""The servers: each is a process of its own, and all but the one on turn are stopped by SIGSTOP."""

import asyncio
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

from client import Client
from measure import Failed

HERE = pathlib.Path(__file__).parent
RESULTS = HERE / "results"
OURS, MLX_LM, VLLM_MLX = "omlx", "mlx-lm", "vllm-mlx"
START_SECONDS = 180


class StartFailure(Exception):
    pass


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def pinned(requirements, package):
    for line in (HERE.parent / requirements).read_text().splitlines():
        if line.startswith(package + "=="):
            return line.split("==")[1].split()[0]
    raise KeyError(package)


def commit():
    done = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, cwd=HERE)
    return done.stdout.strip() or "unknown"


def versions():
    return {OURS: commit(),
            MLX_LM: f"{pinned('requirements.txt', 'mlx-lm')} on MLX {pinned('requirements.txt', 'mlx')}",
            VLLM_MLX: f"{pinned('requirements-vllm-mlx.txt', 'vllm-mlx')} on mlx-lm "
                      f"{pinned('requirements-vllm-mlx.txt', 'mlx-lm')}, "
                      f"MLX {pinned('requirements-vllm-mlx.txt', 'mlx')}"}


def command(name, port, batch):
    """How a server is started; `batch` is how many requests may run at once, None for the server's own default."""
    env = os.environ
    if name == OURS:
        limits = [] if batch is None else [f"--omlx.scheduler.max-batch-size={batch}"]
        return [env["OMLX_BENCH_JAVA"], "-jar", env["OMLX_BENCH_JAR"], "serve", "--model", env["OMLX_BENCH_MODEL"],
                "--port", str(port), "--omlx.models.dtype=float32", "--omlx.models.dequantize=true", *limits]
    if name == MLX_LM:
        limits = [] if batch is None else ["--decode-concurrency", str(batch), "--prompt-concurrency", str(batch)]
        return [env["OMLX_BENCH_MLX_LM"] + "/mlx_lm.server", "--model", env["OMLX_BENCH_WEIGHTS"],
                "--port", str(port), *limits]
    limits = [] if batch is None else ["--max-num-seqs", str(batch)]
    return [env["OMLX_BENCH_VLLM_MLX"] + "/vllm-mlx", "serve", env["OMLX_BENCH_WEIGHTS"], "--continuous-batching",
            "--offline", "--served-model-name", "smollm2", "--port", str(port), *limits]


class Server:
    """A server at an address: see `launch` for one of our own, and `at` for one that runs already."""

    def __init__(self, name, client, process=None, log=None):
        self.name = name
        self.client = client
        self.process = process
        self.log = log

    @classmethod
    def at(cls, name, base, model):
        return cls(name, Client(base.rstrip("/"), model))

    @classmethod
    async def launch(cls, name, batch=None):
        port = free_port()
        env = dict(os.environ, HF_HUB_OFFLINE="1")
        if name == VLLM_MLX:
            # It keeps prompts on disk from one run to the next, below the user's home.
            env["HOME"] = str(RESULTS / "home")
            shutil.rmtree(env["HOME"], ignore_errors=True)
        if name != OURS and env.get("OMLX_BENCH_PRELOAD"):
            env["LD_PRELOAD"] = env["OMLX_BENCH_PRELOAD"]
        RESULTS.mkdir(exist_ok=True)
        log = RESULTS / f"{name}.log"
        with open(log, "ab") as out:
            process = subprocess.Popen(command(name, port, batch), env=env, stdout=out, stderr=out,
                                       stdin=subprocess.DEVNULL, start_new_session=True)
        model = "smollm2" if name == VLLM_MLX else None
        server = cls(name, Client(f"http://127.0.0.1:{port}", model), process, log)
        try:
            await server.await_health()
        except BaseException:
            await server.stop()
            raise
        return server

    async def await_health(self):
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                if (await self.client.get("/health"))[0] == 200:
                    return
            except Exception:
                pass
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise StartFailure(f"{self.name} did not start: {self.last_words()}")
            await asyncio.sleep(0.2)

    def last_words(self):
        lines = [line for line in self.log.read_text(errors="replace").splitlines() if line.strip()]
        return lines[-1] if lines else f"exit status {self.process.poll()}"

    @property
    def has_step_limit(self):
        """Whether a prefill step is also cut by time (ours: at a second), not by tokens alone."""
        return self.name == OURS

    def suspend(self):
        if self.process:
            os.killpg(self.process.pid, signal.SIGSTOP)

    def resume(self):
        if self.process:
            os.killpg(self.process.pid, signal.SIGCONT)

    async def stop(self):
        await self.client.close()
        if self.process and self.process.poll() is None:
            self.resume()
            self.process.terminate()
            try:
                await asyncio.to_thread(self.process.wait, 30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def resident_bytes(self):
        """None for a server that is not ours to look into."""
        if not self.process:
            return None
        done = subprocess.run(["ps", "-o", "rss=", "-p", str(self.process.pid)], capture_output=True, text=True)
        return int(done.stdout) * 1024

    def cpu_seconds(self):
        stat = pathlib.Path(f"/proc/{self.process.pid}/stat")
        if stat.exists():
            fields = stat.read_text().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        done = subprocess.run(["ps", "-o", "time=", "-p", str(self.process.pid)], capture_output=True, text=True)
        seconds = 0.0
        for part in done.stdout.strip().split(":"):
            seconds = seconds * 60 + float(part)
        return seconds

    async def sequences(self):
        """Sequences that the server says it has, or None if it does not say."""
        try:
            status, body = await self.client.get("/health")
            counts = json.loads(body)["sequences"]
            return counts["running"] + counts["waiting"]
        except (KeyError, TypeError, ValueError):
            return None

    async def settle(self, limit=60):
        """Waits until the server has nothing to do, by its counters or else by its CPU time; the seconds it took."""
        start = time.perf_counter()
        while time.perf_counter() - start < limit:
            count = await self.sequences()
            if count is None and self.process is None:
                await asyncio.sleep(3)
                return time.perf_counter() - start
            if count is None:
                before = self.cpu_seconds()
                await asyncio.sleep(0.5)
                if self.cpu_seconds() - before < 0.1:
                    return time.perf_counter() - start - 0.5
            elif count == 0:
                return time.perf_counter() - start
            else:
                await asyncio.sleep(0.02)
        raise Failed(f"{self.name} is still busy {limit} s after its last request was closed")
