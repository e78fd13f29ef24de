// Package millrace speaks the wire protocol of Millrace, as docs/wire-protocol.md describes it, over one connection
// to one tracker. It needs nothing but the standard library.
package millrace

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"
)

const (
	magic         = 0x4D52
	layout        = 1
	headerBytes   = 18
	maxFrameBytes = 8 << 20

	kindRequest = 1
	kindReply   = 2
	kindError   = 3
)

// Types are the codes of the requests that callers send.
var Types = map[string]uint16{
	"HELLO": 1, "AUTHENTICATE": 2, "PING": 3, "SUBMIT": 10, "CANCEL": 11, "PAUSE": 13, "RESUME": 14, "RUN_NOW": 15,
	"EXPLAIN": 16, "TERMINATE": 17, "HEALTH": 18, "PULL": 20, "COMPLETE": 21, "LOG": 22,
}

// ErrClosed says that the connection ended: a request under way may have been carried out.
var ErrClosed = errors.New("the connection is closed")

// ErrTimeout says that no answer came in time: the request may have been carried out.
var ErrTimeout = errors.New("no answer in time")

// RequestError is what a tracker answers in place of a reply.
type RequestError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (e *RequestError) Error() string { return e.Code + ": " + e.Message }

// Frame is one message: its kind, the code of its type, its request id and its body as JSON.
type Frame struct {
	Kind byte
	Type uint16
	ID   int64
	Body []byte
}

// Encode returns the frame as bytes.
func (f Frame) Encode() []byte {
	data := make([]byte, headerBytes, headerBytes+len(f.Body))
	binary.BigEndian.PutUint32(data[0:], uint32(14+len(f.Body)))
	binary.BigEndian.PutUint16(data[4:], magic)
	data[6] = layout
	data[7] = f.Kind
	binary.BigEndian.PutUint16(data[8:], f.Type)
	binary.BigEndian.PutUint64(data[10:], uint64(f.ID))
	return append(data, f.Body...)
}

// ReadFrame reads one frame, or fails if the bytes are none.
func ReadFrame(from io.Reader) (Frame, error) {
	header := make([]byte, headerBytes)
	if _, err := io.ReadFull(from, header); err != nil {
		return Frame{}, err
	}
	length := binary.BigEndian.Uint32(header[0:])
	if binary.BigEndian.Uint16(header[4:]) != magic || header[6] != layout || length < 14 || length > maxFrameBytes {
		return Frame{}, errors.New("not a frame of Millrace")
	}
	body := make([]byte, length-14)
	if _, err := io.ReadFull(from, body); err != nil {
		return Frame{}, err
	}
	return Frame{header[7], binary.BigEndian.Uint16(header[8:]), int64(binary.BigEndian.Uint64(header[10:])), body}, nil
}

// Proof shows that an end ("caller" or "tracker") knows the token, without sending it.
func Proof(token, end, role, nodeID, group, nonce, challenge string) string {
	mac := hmac.New(sha256.New, []byte(strings.TrimSpace(token)))
	for _, field := range []string{"millrace-v1", end, role, nodeID, group, nonce, challenge} {
		fmt.Fprintf(mac, "%d:%s,", len(field), field)
	}
	return hex.EncodeToString(mac.Sum(nil))
}

// RandomID returns 32 random hexadecimal digits.
func RandomID() string {
	bytes := make([]byte, 16)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return hex.EncodeToString(bytes)
}

// Caller says who connects, and to which tracker.
type Caller struct {
	Address string
	Role    string
	NodeID  string
	Group   string
	// Token is empty if the tracker asks for none.
	Token string
}

// Connection is one connection after the handshake. It may be used by several goroutines.
type Connection struct {
	socket net.Conn
	write  sync.Mutex

	mutex   sync.Mutex
	nextID  int64
	waiting map[int64]chan Frame
	closed  bool
	done    chan struct{}
}

// Connect opens a connection and shakes hands.
func Connect(caller Caller) (*Connection, error) {
	socket, err := net.DialTimeout("tcp", caller.Address, 10*time.Second)
	if err != nil {
		return nil, err
	}
	c := &Connection{socket: socket, waiting: map[int64]chan Frame{}, done: make(chan struct{})}
	go c.read()
	if err := c.shakeHands(caller); err != nil {
		c.Close()
		return nil, err
	}
	go c.pingOften()
	return c, nil
}

func (c *Connection) shakeHands(caller Caller) error {
	nonce := RandomID()
	var hello struct {
		Challenge     string `json:"challenge"`
		ProofRequired bool   `json:"proofRequired"`
	}
	err := c.Ask("HELLO", map[string]any{
		"minVersion": 1, "maxVersion": 1, "role": caller.Role, "nodeId": caller.NodeID, "group": caller.Group,
		"nonce": nonce, "software": "millrace-go-example",
	}, &hello, 10*time.Second)
	if err != nil {
		return err
	}
	if caller.Token != "" && !hello.ProofRequired {
		return errors.New("the tracker asks for no proof, so it may be anybody")
	}
	if !hello.ProofRequired {
		return nil
	}
	if caller.Token == "" {
		return errors.New("the tracker asks for a token")
	}
	prove := func(end string) string {
		return Proof(caller.Token, end, caller.Role, caller.NodeID, caller.Group, nonce, hello.Challenge)
	}
	var answer struct {
		Proof string `json:"proof"`
	}
	if err := c.Ask("AUTHENTICATE", map[string]any{"proof": prove("caller")}, &answer, 10*time.Second); err != nil {
		return err
	}
	if !hmac.Equal([]byte(answer.Proof), []byte(prove("tracker"))) {
		return errors.New("the tracker does not know the token")
	}
	return nil
}

// Ask sends a request and decodes the body of its reply. It fails with a *RequestError, ErrClosed or ErrTimeout; after
// the last two the request may have been carried out: send it again, a submit under the same submission id.
func (c *Connection) Ask(request string, body any, reply any, patience time.Duration) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	if headerBytes+len(data) > maxFrameBytes {
		return fmt.Errorf("%s takes %d bytes; a frame takes %d", request, headerBytes+len(data), maxFrameBytes)
	}
	answers := make(chan Frame, 1)
	id, err := c.send(Types[request], data, answers)
	if err != nil {
		return err
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case answer := <-answers:
		if answer.Kind == kindError {
			failure := &RequestError{}
			if err := json.Unmarshal(answer.Body, failure); err != nil {
				return err
			}
			return failure
		}
		return json.Unmarshal(answer.Body, reply)
	case <-c.done:
		return ErrClosed
	case <-timer.C:
		c.mutex.Lock()
		delete(c.waiting, id)
		c.mutex.Unlock()
		return ErrTimeout
	}
}

// send writes a request. Ids rise in the order of the frames, so both happen under one lock.
func (c *Connection) send(typeCode uint16, body []byte, answers chan Frame) (int64, error) {
	c.write.Lock()
	defer c.write.Unlock()
	c.mutex.Lock()
	if c.closed {
		c.mutex.Unlock()
		return 0, ErrClosed
	}
	c.nextID++
	id := c.nextID
	c.waiting[id] = answers
	c.mutex.Unlock()
	if _, err := c.socket.Write(Frame{kindRequest, typeCode, id, body}.Encode()); err != nil {
		c.Close()
		return 0, ErrClosed
	}
	return id, nil
}

func (c *Connection) read() {
	defer c.Close()
	for {
		frame, err := ReadFrame(c.socket)
		if err != nil {
			return
		}
		if frame.Kind == kindRequest {
			// Trackers ask clients with result listeners only; a node that is none says so.
			refusal := []byte(`{"code":"UNSUPPORTED","message":"this example takes no requests"}`)
			c.write.Lock()
			_, err := c.socket.Write(Frame{kindError, frame.Type, frame.ID, refusal}.Encode())
			c.write.Unlock()
			if err != nil {
				return
			}
			continue
		}
		c.mutex.Lock()
		answers := c.waiting[frame.ID]
		delete(c.waiting, frame.ID)
		c.mutex.Unlock()
		if answers != nil {
			answers <- frame
		}
	}
}

// pingOften breaks the silence: a tracker hangs up after 30 seconds of it.
func (c *Connection) pingOften() {
	ticker := time.NewTicker(5 * time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-c.done:
			return
		case <-ticker.C:
			var reply map[string]any
			if err := c.Ask("PING", map[string]any{}, &reply, 10*time.Second); err != nil {
				c.Close()
				return
			}
		}
	}
}

// Done is closed when the connection has ended.
func (c *Connection) Done() <-chan struct{} { return c.done }

// Close ends the connection. It may be called more than once.
func (c *Connection) Close() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if !c.closed {
		c.closed = true
		close(c.done)
		c.socket.Close()
	}
}
