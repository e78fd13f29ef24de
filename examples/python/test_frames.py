"""Tests the protocol against docs/protocol-examples/frames.json and the worked example of a proof.

  python3 test_frames.py
"""

import json
import pathlib
import unittest

import millrace

FRAMES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "protocol-examples" / "frames.json"


class FramesTest(unittest.TestCase):
    def test_writes_the_frames_of_the_file(self):
        examples = json.loads(FRAMES.read_text(encoding="utf-8"))
        self.assertGreater(len(examples), 30)
        for example in examples:
            with self.subTest(example["name"]):
                data = millrace.frame(
                    example["kind"], example["type"], int(example["requestId"]), example["body"]
                )
                self.assertEqual(data.hex(), example["frame"])

    def test_knows_the_codes_of_the_file(self):
        for example in json.loads(FRAMES.read_text(encoding="utf-8")):
            name = example["name"].split()[0]
            if name in millrace.TYPES:
                self.assertEqual(millrace.TYPES[name], example["type"])

    def test_computes_the_proofs_of_the_page(self):
        fields = (
            "WORKER", "worker-7", "orders", "00112233445566778899aabbccddeeff", "ffeeddccbbaa99887766554433221100"
        )
        token = "correct horse battery staple"
        self.assertEqual(
            millrace.proof(token, "caller", *fields),
            "d1ab12b50eb080ec7954fd5694269c478c01c397b655abe3f5b20e0cf7f46f11",
        )
        self.assertEqual(
            millrace.proof(token, "tracker", *fields),
            "0ef2fa7877aed9f3af1e156f373f28a33ab84c70353043e107e1b999ff3d6d13",
        )


if __name__ == "__main__":
    unittest.main()
