// Client submits a job and prints what becomes of it.
//
//	go run ./client ADDRESS NODE_GROUP TASK_ID [NAME=VALUE ...]
//
// MILLRACE_TOKEN is the token, if the tracker asks for one.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"millrace.example/millrace"
)

const patience = 30 * time.Second

type result struct {
	TaskID  string `json:"taskId"`
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "client ADDRESS NODE_GROUP TASK_ID [NAME=VALUE ...]")
		os.Exit(2)
	}
	params := map[string]string{}
	for _, argument := range os.Args[4:] {
		name, value, found := strings.Cut(argument, "=")
		if !found {
			fmt.Fprintf(os.Stderr, "not NAME=VALUE: %s\n", argument)
			os.Exit(2)
		}
		params[name] = value
	}
	caller := millrace.Caller{
		Address: os.Args[1], Role: "CLIENT", NodeID: "go-client-" + millrace.RandomID(), Token: os.Getenv("MILLRACE_TOKEN"),
	}
	job := map[string]any{"nodeGroup": os.Args[2], "taskId": os.Args[3], "params": params}
	if err := submitAndExplain(caller, job); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func submitAndExplain(caller millrace.Caller, job map[string]any) error {
	answer, err := submit(caller, job)
	if err != nil {
		return err
	}
	fmt.Println(answer.Status, answer.Reason, answer.Message)
	if answer.Status == "REJECTED" {
		return errors.New("the job was rejected")
	}
	connection, err := millrace.Connect(caller)
	if err != nil {
		return err
	}
	defer connection.Close()
	var explanation struct {
		Facts []struct {
			Text string `json:"text"`
		} `json:"facts"`
	}
	key := map[string]any{"nodeGroup": job["nodeGroup"], "taskId": job["taskId"]}
	if err := connection.Ask("EXPLAIN", key, &explanation, patience); err != nil {
		return err
	}
	for _, fact := range explanation.Facts {
		fmt.Println(fact.Text)
	}
	return nil
}

// submit sends the job until a tracker answers: no answer is not a no, and the id keeps it from being stored twice.
func submit(caller millrace.Caller, job map[string]any) (result, error) {
	submission := map[string]any{"submissionId": millrace.RandomID(), "job": job}
	body := map[string]any{"submissions": []any{submission}}
	deadline := time.Now().Add(patience)
	for {
		answer, err := submitOnce(caller, body)
		var failure *millrace.RequestError
		final := errors.As(err, &failure) && failure.Code != "UNAVAILABLE" && failure.Code != "INTERNAL"
		if err == nil || final || time.Now().After(deadline) {
			return answer, err
		}
		fmt.Fprintln(os.Stderr, "asking again:", err)
		time.Sleep(500 * time.Millisecond)
	}
}

func submitOnce(caller millrace.Caller, body map[string]any) (result, error) {
	connection, err := millrace.Connect(caller)
	if err != nil {
		return result{}, err
	}
	defer connection.Close()
	var reply struct {
		Results []result `json:"results"`
	}
	if err := connection.Ask("SUBMIT", body, &reply, 10*time.Second); err != nil {
		return result{}, err
	}
	return reply.Results[0], nil
}
