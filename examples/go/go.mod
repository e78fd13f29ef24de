module millrace.example

go 1.19
