package millrace

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"
)

type example struct {
	Name      string          `json:"name"`
	Kind      byte            `json:"kind"`
	Type      uint16          `json:"type"`
	RequestID string          `json:"requestId"`
	Body      json.RawMessage `json:"body"`
	Frame     string          `json:"frame"`
}

func examples(t *testing.T) []example {
	data, err := os.ReadFile("../../../docs/protocol-examples/frames.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []example
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) < 30 {
		t.Fatalf("%d examples only", len(all))
	}
	return all
}

func TestWritesAndReadsTheFramesOfTheFile(t *testing.T) {
	for _, e := range examples(t) {
		id, err := strconv.ParseInt(e.RequestID, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		written := Frame{e.Kind, e.Type, id, e.Body}.Encode()
		if hex.EncodeToString(written) != e.Frame {
			t.Errorf("%s: wrote %x", e.Name, written)
		}
		read, err := ReadFrame(bytes.NewReader(written))
		if err != nil || read.Kind != e.Kind || read.Type != e.Type || read.ID != id || !bytes.Equal(read.Body, e.Body) {
			t.Errorf("%s: read %v, %v", e.Name, read, err)
		}
	}
}

func TestKnowsTheCodesOfTheFile(t *testing.T) {
	for _, e := range examples(t) {
		name, _, _ := strings.Cut(e.Name, " ")
		if code, known := Types[name]; known && code != e.Type {
			t.Errorf("%s has the code %d and not %d", name, e.Type, code)
		}
	}
}

func TestComputesTheProofsOfThePage(t *testing.T) {
	prove := func(end string) string {
		return Proof("correct horse battery staple", end, "WORKER", "worker-7", "orders",
			"00112233445566778899aabbccddeeff", "ffeeddccbbaa99887766554433221100")
	}
	if prove("caller") != "d1ab12b50eb080ec7954fd5694269c478c01c397b655abe3f5b20e0cf7f46f11" {
		t.Error("the caller's proof is wrong")
	}
	if prove("tracker") != "0ef2fa7877aed9f3af1e156f373f28a33ab84c70353043e107e1b999ff3d6d13" {
		t.Error("the tracker's proof is wrong")
	}
}
