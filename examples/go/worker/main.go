// Worker runs the jobs of a node group, one at a time for each slot.
//
//	go run ./worker ADDRESS NODE_GROUP [SLOTS]
//
// MILLRACE_TOKEN is the token, if the tracker asks for one. It follows "What a simple worker needs" in
// docs/wire-protocol.md. What it leaves out: an outbox for results that no tracker takes before the process ends, job
// logs, and the change to another tracker.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"millrace.example/millrace"
)

const (
	pullInterval = time.Second
	pullPatience = 5 * time.Second
	mostResults  = 1000
)

type assignment struct {
	ExecutionID string            `json:"executionId"`
	TaskID      string            `json:"taskId"`
	Params      map[string]string `json:"params"`
	Timeout     string            `json:"timeout"`
}

// run is the work itself: what a job of yours does. It returns a message for its history.
func run(work assignment) (string, error) {
	name := work.Params["name"]
	if name == "trouble" {
		return "", errors.New("this name means trouble")
	}
	if name == "" {
		name = "world"
	}
	return "hello, " + name, nil
}

type worker struct {
	caller millrace.Caller
	slots  int
	born   time.Time
	pulls  int64

	mutex    sync.Mutex
	held     map[string]map[string]any // execution id -> its result, or nil while it runs
	running  int
	stopping bool
	// changed has room for one: whoever waits looks at everything again.
	changed chan struct{}
	ended   chan struct{}
}

func (w *worker) signal(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

func (w *worker) isDone() bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.stopping && len(w.held) == 0
}

// serve pulls and runs until stopped; it connects again whenever the connection is lost.
func (w *worker) serve() {
	for !w.isDone() {
		err := w.serveOneConnection()
		if err != nil {
			fmt.Fprintln(os.Stderr, "connecting again:", err)
			time.Sleep(500 * time.Millisecond)
		}
	}
}

func (w *worker) serveOneConnection() error {
	tracker, err := millrace.Connect(w.caller)
	if err != nil {
		return err
	}
	defer tracker.Close()
	go w.report(tracker)
	for !w.isDone() {
		if err := w.pull(tracker); err != nil {
			return err
		}
	}
	return nil
}

// pull asks for as much work as there are free slots; the answer also renews the leases of what is held.
func (w *worker) pull(tracker *millrace.Connection) error {
	begun := time.Now()
	var answer struct {
		Assignments []assignment `json:"assignments"`
		Lost        []string     `json:"lost"`
	}
	err := tracker.Ask("PULL", w.question(), &answer, pullPatience)
	var failure *millrace.RequestError
	if errors.As(err, &failure) {
		fmt.Fprintln(os.Stderr, "pull:", failure)
	} else if err != nil {
		return err
	}
	w.mutex.Lock()
	for _, lost := range answer.Lost {
		delete(w.held, lost)
	}
	for _, work := range answer.Assignments {
		w.held[work.ExecutionID] = nil
		w.running++
		go w.run(work)
	}
	w.mutex.Unlock()
	// The tracker keeps a pull with free slots for a second; one without is answered at once.
	if rest := pullInterval - time.Since(begun); len(answer.Assignments) == 0 && rest > 0 {
		select {
		case <-w.changed:
		case <-tracker.Done():
		case <-time.After(rest):
		}
	}
	return nil
}

func (w *worker) question() map[string]any {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.pulls++
	free := w.slots - w.running
	if w.stopping {
		free = 0
	}
	held := []string{}
	for execution := range w.held {
		held = append(held, execution)
	}
	return map[string]any{
		"number": strconv.FormatInt(w.pulls, 10), "slots": free,
		"aliveMillis": strconv.FormatInt(time.Since(w.born).Milliseconds(), 10),
		"workerSlots": w.slots, "begun": w.running, "openPulls": []string{}, "held": held,
	}
}

func (w *worker) run(work assignment) {
	started := time.Now()
	result := map[string]any{
		"executionId": work.ExecutionID, "startedAt": started.UTC().Format(time.RFC3339Nano), "exceptionTypes": []string{},
	}
	message, err := run(work)
	if err != nil {
		result["outcome"], result["message"], result["exceptionTypes"] = "EXCEPTION", err.Error(), []string{fmt.Sprintf("%T", err)}
	} else {
		result["outcome"], result["message"] = "SUCCESS", message
	}
	if limit, bounded := timeout(work.Timeout); bounded && time.Since(started) > limit {
		result["outcome"], result["message"] = "TIMED_OUT", "ran longer than "+work.Timeout
	}
	result["finishedAt"] = time.Now().UTC().Format(time.RFC3339Nano)
	w.mutex.Lock()
	w.running--
	if _, held := w.held[work.ExecutionID]; held {
		w.held[work.ExecutionID] = result
	}
	w.mutex.Unlock()
	w.signal(w.ended)
	w.signal(w.changed)
}

// timeout reads a duration such as PT1M30.5S, whose units are those of Go in capitals; empty means without limit.
func timeout(text string) (time.Duration, bool) {
	limit, err := time.ParseDuration(strings.ToLower(strings.TrimPrefix(text, "PT")))
	return limit, err == nil
}

// report sends what has ended; an execution is held until the tracker has stored or refused its result.
func (w *worker) report(tracker *millrace.Connection) {
	for {
		select {
		case <-tracker.Done():
			return
		case <-w.ended:
		case <-time.After(pullInterval):
		}
		results := w.results()
		if len(results) == 0 {
			continue
		}
		var reply struct {
			Answers []string `json:"answers"`
		}
		if err := tracker.Ask("COMPLETE", map[string]any{"results": results}, &reply, 10*time.Second); err != nil {
			fmt.Fprintln(os.Stderr, "complete:", err)
			continue
		}
		w.mutex.Lock()
		for i, answer := range reply.Answers {
			if answer == "ACCEPTED" || answer == "REFUSED" {
				delete(w.held, results[i]["executionId"].(string))
			}
		}
		w.mutex.Unlock()
		w.signal(w.changed)
	}
}

func (w *worker) results() []map[string]any {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	results := []map[string]any{}
	for _, result := range w.held {
		if result != nil && len(results) < mostResults {
			results = append(results, result)
		}
	}
	return results
}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "worker ADDRESS NODE_GROUP [SLOTS]")
		os.Exit(2)
	}
	slots := 4
	if len(os.Args) > 3 {
		number, err := strconv.Atoi(os.Args[3])
		if err != nil || number < 1 {
			fmt.Fprintln(os.Stderr, "not a number of slots:", os.Args[3])
			os.Exit(2)
		}
		slots = number
	}
	w := &worker{
		caller: millrace.Caller{
			Address: os.Args[1], Role: "WORKER", NodeID: "go-worker-" + millrace.RandomID(), Group: os.Args[2],
			Token: os.Getenv("MILLRACE_TOKEN"),
		},
		slots: slots, born: time.Now(), held: map[string]map[string]any{},
		changed: make(chan struct{}, 1), ended: make(chan struct{}, 1),
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		<-signals
		w.mutex.Lock()
		w.stopping = true
		w.mutex.Unlock()
		w.signal(w.changed)
	}()
	w.serve()
}
