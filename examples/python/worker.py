"""A worker that runs the jobs of a node group, one at a time for each slot.

  python3 worker.py ADDRESS NODE_GROUP [SLOTS]      MILLRACE_TOKEN is the token, if the tracker asks for one

It follows "What a simple worker needs" in docs/wire-protocol.md. What it leaves out: an outbox for results
that no tracker takes before the process ends, job logs, and the change to another tracker.
"""

import datetime
import os
import re
import signal
import sys
import threading
import time
import traceback
import uuid

from millrace import Connection, ConnectionClosed, RequestFailed

PULL_SECONDS = 1.0
PULL_TIMEOUT_SECONDS = 5.0


def run(assignment):
    """The work itself: what a job of yours does. Returns a message for its history."""
    name = assignment.get("params", {}).get("name", "world")
    if name == "trouble":
        raise ValueError("this name means trouble")
    return "hello, " + name


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat().replace("+00:00", "Z")


def seconds(duration):
    """The seconds of a duration such as PT1M30.5S; None for none."""
    if duration is None:
        return None
    parts = re.fullmatch(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?", duration)
    return int(parts[1] or 0) * 3600 + int(parts[2] or 0) * 60 + float(parts[3] or 0)


class Worker:
    def __init__(self, address, node_group, slots, token, runner=run):
        self._address, self._node_group, self._token, self._runner = address, node_group, token, runner
        self._slots = slots
        self._node_id = "python-worker-" + uuid.uuid4().hex
        self._born = time.monotonic()
        self._pulls = 0
        self._changed = threading.Condition()
        self._held = {}  # execution id -> its result, or None while it runs
        self._running = 0
        self._stopping = False

    def stop(self):
        """Takes no new work; serve() returns when what runs has ended and its results are stored."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()

    def serve(self):
        """Pulls and runs until stopped; connects again whenever the connection is lost."""
        while not self._is_done():
            try:
                with Connection(self._address, "WORKER", self._node_id, self._node_group, self._token) as tracker:
                    threading.Thread(target=self._report, args=(tracker,), daemon=True).start()
                    while not self._is_done():
                        self._pull(tracker)
            except (ConnectionClosed, TimeoutError, OSError) as e:
                print("connecting again: %s" % e, file=sys.stderr, flush=True)
                time.sleep(0.5)

    def _is_done(self):
        with self._changed:
            return self._stopping and not self._held

    def _pull(self, tracker):
        """Asks for as much work as there are free slots; the answer also renews the leases of what is held."""
        with self._changed:
            self._pulls += 1
            free = 0 if self._stopping else self._slots - self._running
            body = {
                "number": str(self._pulls),
                "slots": free,
                "aliveMillis": str(int((time.monotonic() - self._born) * 1000)),
                "workerSlots": self._slots,
                "begun": self._running,
                "openPulls": [],
                "held": [str(execution) for execution in self._held],
            }
        begun = time.monotonic()
        try:
            answer = tracker.ask("PULL", body, PULL_TIMEOUT_SECONDS)
        except RequestFailed as e:
            print("pull: %s" % e, file=sys.stderr, flush=True)
            answer = {}
        with self._changed:
            for lost in answer.get("lost", []):
                self._held.pop(int(lost), None)
            for assignment in answer.get("assignments", []):
                self._held[int(assignment["executionId"])] = None
                self._running += 1
                threading.Thread(target=self._run, args=(assignment,)).start()
            # The tracker keeps a pull with free slots for a second; one without is answered at once.
            rest = PULL_SECONDS - (time.monotonic() - begun)
            if not answer.get("assignments") and rest > 0:
                running = self._running
                self._changed.wait_for(lambda: self._stopping or self._running < running, rest)

    def _run(self, assignment):
        execution = int(assignment["executionId"])
        begun, started = time.monotonic(), now()
        result = {"executionId": str(execution), "startedAt": started, "exceptionTypes": []}
        try:
            result.update(outcome="SUCCESS", message=self._runner(assignment))
        except Exception as e:
            types = [kind.__name__ for kind in type(e).__mro__ if kind is not object]
            message = "%s: %s\n%s" % (types[0], e, traceback.format_exc())
            result.update(outcome="EXCEPTION", message=message[:4000], exceptionTypes=types)
        limit = seconds(assignment.get("timeout"))
        if limit is not None and time.monotonic() - begun > limit:
            result.update(outcome="TIMED_OUT", message="ran longer than " + assignment["timeout"])
        result["finishedAt"] = now()
        with self._changed:
            self._running -= 1
            if execution in self._held:
                self._held[execution] = result
            self._changed.notify_all()

    def _report(self, tracker):
        """Sends what has ended; an execution is held until the tracker has stored or refused its result."""
        while not tracker.closed and not self._is_done():
            with self._changed:
                self._changed.wait_for(self._has_ended, PULL_SECONDS)
                results = [result for result in self._held.values() if result is not None][:1000]
            if not results:
                continue
            try:
                answers = tracker.ask("COMPLETE", {"results": results})["answers"]
            except (ConnectionClosed, TimeoutError):
                return
            except RequestFailed as e:
                print("complete: %s" % e, file=sys.stderr, flush=True)
                time.sleep(PULL_SECONDS)
                continue
            with self._changed:
                for result, answer in zip(results, answers):
                    if answer in ("ACCEPTED", "REFUSED"):
                        self._held.pop(int(result["executionId"]), None)
                self._changed.notify_all()

    def _has_ended(self):
        return any(result is not None for result in self._held.values())


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    slots = int(arguments[2]) if len(arguments) > 2 else 4
    worker = Worker(arguments[0], arguments[1], slots, os.environ.get("MILLRACE_TOKEN"))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *unused: threading.Thread(target=worker.stop).start())
    worker.serve()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
