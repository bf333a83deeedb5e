"""Our server and mlx-lm in turn: compare.py JAR GGUF WEIGHTS PYTHON [--rounds N]. Standard library only."""

import argparse
import http.client
import json
import os
import pathlib
import platform
import socket
import statistics
import subprocess
import sys
import time

JAVA = os.environ.get("OMLX_BENCH_JAVA", "java")
WORDS = "the river runs past old stone houses where people mend nets and talk about weather while boats wait".split()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    def __init__(self, jar, model):
        self.port = free_port()
        self.process = subprocess.Popen(
            [JAVA, "-jar", jar, "serve", "--model", model, "--port", str(self.port)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 120
        while True:
            try:
                if self.request("GET", "/health")[0] == 200:
                    return
            except OSError:
                pass
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise SystemExit("the server did not start")
            time.sleep(0.2)

    def request(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        connection.request(method, path, body and json.dumps(body), {"Content-Type": "application/json"})
        response = connection.getresponse()
        return response.status, response.read()

    def chat(self, messages, tokens):
        """Times as a client sees them: to the first text, and from there to the last."""
        body = {"messages": messages, "temperature": 0, "max_tokens": tokens, "stream": True,
                "ignore_eos": True, "stream_options": {"include_usage": True}}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        start = time.perf_counter()
        connection.request("POST", "/v1/chat/completions", json.dumps(body), {"Content-Type": "application/json"})
        response = connection.getresponse()
        if response.status != 200:
            raise SystemExit(f"the server answered {response.status}: {response.read().decode()}")
        first = last = None
        text, usage = "", None
        for line in response:
            if not line.startswith(b"data: {"):
                continue
            event = json.loads(line[6:])
            usage = event.get("usage") or usage
            content = event["choices"] and event["choices"][0]["delta"].get("content")
            if content:
                last = time.perf_counter()
                first = first or last
                text += content
        return {"text": text, "first": first - start, "rest": last - first, "usage": usage}


class MlxLm:
    def __init__(self, python, weights):
        env = dict(os.environ)
        if env.get("OMLX_BENCH_PRELOAD"):
            env["LD_PRELOAD"] = env["OMLX_BENCH_PRELOAD"]
        worker = pathlib.Path(__file__).with_name("mlx_lm_worker.py")
        self.process = subprocess.Popen([python, str(worker), weights], env=env, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.version = json.loads(self.process.stdout.readline())["mlx"]

    def generate(self, ids, tokens):
        self.process.stdin.write(json.dumps({"ids": ids, "tokens": tokens}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def command(jar, *arguments, stdin):
    done = subprocess.run([JAVA, "-jar", jar, *arguments], input=json.dumps(stdin), text=True, capture_output=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def prompts(jar, model, sizes):
    """A chat of about each size in tokens, with the ids that its template gives; no two begin alike."""
    chats = []
    for number, size in enumerate(sizes):
        count = max(1, size - 35)
        text = " ".join([str(number)] + [WORDS[(i * 7 + number) % len(WORDS)] for i in range(count)])
        chats.append([{"role": "user", "content": text}])
    rendered = command(jar, "render", "--model", model,
                       stdin=[{"messages": chat, "add_generation_prompt": True} for chat in chats])
    ids = command(jar, "tokenize", "--model", model, "--special", stdin=[each["ok"] for each in rendered])
    return list(zip(chats, ids))


def measure(options):
    server = Server(options.jar, options.gguf)
    peer = MlxLm(options.python, options.weights)
    try:
        rounds = prompts(options.jar, options.gguf, [512] * (options.rounds + options.warmup))
        samples = []
        for number, (chat, ids) in enumerate(rounds):
            ours = server.chat(chat, options.tokens)
            theirs = peer.generate(ids, options.tokens)
            if ours["usage"]["prompt_tokens"] != len(ids):
                raise SystemExit(f"the prompts differ: {ours['usage']['prompt_tokens']} and {len(ids)} tokens")
            if ours["usage"]["completion_tokens"] != options.tokens:
                raise SystemExit(f"our server stopped after {ours['usage']['completion_tokens']} tokens")
            if number >= options.warmup:
                samples.append((ours, theirs, len(ids)))
        texts = command(options.jar, "tokenize", "--model", options.gguf, "--decode",
                        stdin=[theirs["tokens"] for _, theirs, _ in samples])
        equal = sum(ours["text"].strip() == text.strip() for (ours, _, _), text in zip(samples, texts))
        return peer.version, samples, equal
    finally:
        server.process.terminate()
        peer.process.terminate()
        server.process.wait()
        peer.process.wait()


def row(name, ours, theirs, unit, better_high=True):
    ratios = [a / b if better_high else b / a for a, b in zip(ours, theirs)]
    result = {"name": name, "ours": statistics.median(ours), "mlx_lm": statistics.median(theirs),
              "ratio": statistics.median(ratios), "ratio_min": min(ratios), "ratio_max": max(ratios), "unit": unit}
    print(f"{name:28} {result['ours']:10.1f} {result['mlx_lm']:10.1f} {unit:6}  "
          f"{result['ratio']:5.2f} ({result['ratio_min']:.2f}–{result['ratio_max']:.2f})")
    return result


def main():
    parser = argparse.ArgumentParser()
    for name in ("jar", "gguf", "weights", "python"):
        parser.add_argument(name)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--warmup", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=64)
    options = parser.parse_args()
    load = os.getloadavg()[0]
    version, samples, equal = measure(options)
    print(f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs, load {load:.1f} at the start; MLX {version}")
    print(f"equal greedy answers: {equal} of {len(samples)}, {options.tokens} tokens each")
    print(f"{'':28} {'ours':>10} {'mlx-lm':>10} {'':6}  ratio (range; above 1 is faster)")
    rows = [
        row("prefill of 512", [n / o["first"] for o, _, n in samples],
            [n / t["first"] for _, t, n in samples], "tok/s"),
        row("decode, batch 1", [(options.tokens - 1) / o["rest"] for o, _, _ in samples],
            [(options.tokens - 1) / t["rest"] for _, t, _ in samples], "tok/s"),
    ]
    results = pathlib.Path("bench/results")
    results.mkdir(exist_ok=True)
    (results / "single.json").write_text(json.dumps(
        {"machine": platform.machine(), "cpus": os.cpu_count(), "load": load, "mlx": version,
         "equal": equal, "of": len(samples), "rows": rows}, indent=1) + "\n")
    sys.exit(0 if all(each["ratio"] >= 1 for each in rows) else 1)


if __name__ == "__main__":
    main()
