"""The wire protocol of Millrace, as docs/wire-protocol.md describes it, over one connection to one tracker.

Needs nothing but Python 3.8 or newer. A connection may be used by several threads at the same time.
"""

import hashlib
import hmac
import itertools
import json
import secrets
import socket
import struct
import threading

HEADER = struct.Struct(">iHBBHq")
MAGIC = 0x4D52
LAYOUT = 1
REQUEST, REPLY, ERROR = 1, 2, 3
MAX_FRAME_BYTES = 8 << 20

TYPES = {
    "HELLO": 1,
    "AUTHENTICATE": 2,
    "PING": 3,
    "SUBMIT": 10,
    "CANCEL": 11,
    "PAUSE": 13,
    "RESUME": 14,
    "RUN_NOW": 15,
    "EXPLAIN": 16,
    "TERMINATE": 17,
    "HEALTH": 18,
    "PULL": 20,
    "COMPLETE": 21,
    "LOG": 22,
}


class ProtocolError(Exception):
    """The other end does not speak the protocol, or cannot prove that it knows the token."""


class RequestFailed(Exception):
    """The tracker answered with an error: its code and its message."""

    def __init__(self, code, message):
        super().__init__(code + ": " + message)
        self.code = code


class ConnectionClosed(Exception):
    """The connection ended; a request under way may have been carried out."""


def frame(kind, type_code, request_id, body):
    """One frame: the length, the header and the body as JSON."""
    data = json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
    return HEADER.pack(14 + len(data), MAGIC, LAYOUT, kind, type_code, request_id) + data


def proof(token, end, role, node_id, group, nonce, challenge):
    """What shows that an end ("caller" or "tracker") knows the token, without sending it."""
    fields = ("millrace-v1", end, role, node_id, group, nonce, challenge)
    text = b"".join(b"%d:%s," % (len(field), field) for field in (f.encode("utf-8") for f in fields))
    return hmac.new(token.strip().encode("utf-8"), text, hashlib.sha256).hexdigest()


class Connection:
    """One connection to a tracker, after the handshake. Raises an OSError if the tracker cannot be reached."""

    def __init__(self, address, role, node_id, group="", token=None, timeout=10.0):
        host, _, port = address.rpartition(":")
        self._ids = itertools.count(1)
        self._write = threading.Lock()
        self._answers = {}
        self._closed = None
        self._state = threading.Condition()
        self._timeout = timeout
        self._socket = socket.create_connection((host, int(port)), timeout)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.settimeout(None)
        threading.Thread(target=self._read, name="millrace-read", daemon=True).start()
        try:
            self._shake_hands(role, node_id, group, token)
        except BaseException:
            self.close()
            raise
        self._ping = threading.Thread(target=self._ping_often, name="millrace-ping", daemon=True)
        self._ping.start()

    def _shake_hands(self, role, node_id, group, token):
        nonce = secrets.token_hex(16)
        hello = {
            "minVersion": 1,
            "maxVersion": 1,
            "role": role,
            "nodeId": node_id,
            "group": group,
            "nonce": nonce,
            "software": "millrace-python-example",
        }
        answer = self.ask("HELLO", hello)
        required = answer.get("proofRequired", False)
        if token is not None and not required:
            raise ProtocolError("the tracker asks for no proof, so it may be anybody")
        if not required:
            return
        if token is None:
            raise ProtocolError("the tracker asks for a token")
        fields = (role, node_id, group, nonce, answer["challenge"])
        theirs = self.ask("AUTHENTICATE", {"proof": proof(token, "caller", *fields)})["proof"]
        if not hmac.compare_digest(theirs, proof(token, "tracker", *fields)):
            raise ProtocolError("the tracker does not know the token")

    def ask(self, request, body, timeout=None):
        """Sends a request and returns the body of its reply.

        Raises RequestFailed for an error, ConnectionClosed, or TimeoutError. After the last two the request may
        have been carried out: send it again, a submit under the same submission id.
        """
        type_code = TYPES[request]
        with self._write:
            request_id = next(self._ids)
            data = frame(REQUEST, type_code, request_id, body)
            if len(data) > MAX_FRAME_BYTES:
                raise ValueError("%s takes %d bytes; a frame takes %d" % (request, len(data), MAX_FRAME_BYTES))
            try:
                self._socket.sendall(data)
            except OSError as e:
                raise ConnectionClosed(str(e)) from e
        with self._state:
            answered = self._state.wait_for(
                lambda: request_id in self._answers or self._closed, timeout or self._timeout
            )
            if request_id in self._answers:
                kind, answer = self._answers.pop(request_id)
                if kind == ERROR:
                    raise RequestFailed(answer.get("code", "UNKNOWN"), answer.get("message", ""))
                return answer
            if not answered:
                raise TimeoutError("no answer to %s in time" % request)
            raise ConnectionClosed(self._closed)

    def _read(self):
        try:
            while True:
                length, magic, layout, kind, type_code, request_id = HEADER.unpack(self._take(HEADER.size))
                if magic != MAGIC or layout != LAYOUT or not 14 <= length <= MAX_FRAME_BYTES:
                    raise ProtocolError("not a frame of Millrace")
                body = json.loads(self._take(length - 14).decode("utf-8"))
                if kind == REQUEST:
                    # Trackers ask clients with result listeners only; a node that is none says so.
                    refusal = {"code": "UNSUPPORTED", "message": "this example takes no requests"}
                    with self._write:
                        self._socket.sendall(frame(ERROR, type_code, request_id, refusal))
                    continue
                with self._state:
                    self._answers[request_id] = (kind, body)
                    self._state.notify_all()
        except (OSError, ValueError, ProtocolError, ConnectionClosed) as e:
            with self._state:
                self._closed = str(e) or "closed"
                self._state.notify_all()
            self._socket.close()

    def _take(self, count):
        data = bytearray()
        while len(data) < count:
            part = self._socket.recv(min(count - len(data), 1 << 16))
            if not part:
                raise ConnectionClosed("the tracker closed the connection")
            data += part
        return bytes(data)

    def _ping_often(self):
        """A tracker hangs up after 30 seconds of silence."""
        while True:
            with self._state:
                if self._state.wait_for(lambda: self._closed, 5.0):
                    return
            try:
                self.ask("PING", {})
            except (ConnectionClosed, TimeoutError, RequestFailed):
                self.close()
                return

    @property
    def closed(self):
        return self._closed is not None

    def close(self):
        with self._state:
            self._closed = self._closed or "closed"
            self._state.notify_all()
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()
