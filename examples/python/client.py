"""Submits a job and prints what becomes of it.

  python3 client.py ADDRESS NODE_GROUP TASK_ID [NAME=VALUE ...]      MILLRACE_TOKEN is the token, if the tracker asks for one
"""

import json
import os
import socket
import sys
import time
import uuid

from millrace import Connection, ConnectionClosed, RequestFailed

PATIENCE_SECONDS = 30


def submit(address, token, job):
    """Sends the job until a tracker answers: no answer is not a no, and the id keeps it from being stored twice."""
    body = {"submissions": [{"submissionId": str(uuid.uuid4()), "job": job}]}
    node = "python-client-" + uuid.uuid4().hex
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            with Connection(address, "CLIENT", node, token=token) as connection:
                return connection.ask("SUBMIT", body)["results"][0]
        except (ConnectionClosed, OSError) as e:
            if time.monotonic() > deadline:
                raise
            print("asking again: %s" % e, file=sys.stderr)
            time.sleep(0.5)
        except RequestFailed as e:
            if e.code not in ("UNAVAILABLE", "INTERNAL") or time.monotonic() > deadline:
                raise
            time.sleep(0.5)


def main(arguments):
    if len(arguments) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    address, node_group, task_id = arguments[:3]
    job = {
        "nodeGroup": node_group,
        "taskId": task_id,
        "params": dict(argument.split("=", 1) for argument in arguments[3:]),
    }
    token = os.environ.get("MILLRACE_TOKEN")
    result = submit(address, token, job)
    print(json.dumps(result))
    if result["status"] == "REJECTED":
        return 1
    with Connection(address, "CLIENT", "python-client-" + uuid.uuid4().hex, token=token) as connection:
        explanation = connection.ask("EXPLAIN", {"nodeGroup": node_group, "taskId": task_id})
    for fact in explanation["facts"]:
        print(fact["text"])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
