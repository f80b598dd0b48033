package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"sort"
	"sync"
	"time"
)

type row struct{ key, value string }
type table struct {
	mu   sync.Mutex
	rows []row
}

//go:noinline
func (t *table) insert(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := 0; i < n; i++ {
		sum := sha256.Sum256([]byte(fmt.Sprint(i, len(t.rows))))
		t.rows = append(t.rows, row{fmt.Sprintf("%x", sum), fmt.Sprint(i)})
	}
	if len(t.rows) > 20000 {
		t.rows = t.rows[:1000]
	}
}

//go:noinline
func (t *table) scan() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	sort.Slice(t.rows, func(i, j int) bool { return t.rows[i].key < t.rows[j].key })
	return len(t.rows)
}

var kept [][]byte

//go:noinline
func load(n int) {
	for i := 0; i < n; i++ {
		kept = append(kept, make([]byte, 65536))
	}
}

func write(name, file string, debug int) {
	f, _ := os.Create(file)
	pprof.Lookup(name).WriteTo(f, debug)
	f.Close()
}

func main() {
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	runtime.MemProfileRate = 65536
	var t table
	f, _ := os.Create("cpu.pb.gz")
	pprof.StartCPUProfile(f)
	var wg sync.WaitGroup
	stop := time.Now().Add(900 * time.Millisecond)
	for w, label := range []string{"insert", "scan"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			pprof.Do(context.Background(), pprof.Labels("statement", label, "worker", fmt.Sprint(w)), func(context.Context) {
				for time.Now().Before(stop) {
					if label == "insert" {
						t.insert(500)
					} else {
						t.scan()
					}
				}
			})
		}()
	}
	load(50)
	wg.Wait()
	pprof.StopCPUProfile()
	f.Close()
	runtime.GC()
	write("heap", "heap.pb.gz", 0)
	write("mutex", "mutex.pb.gz", 0)
	write("block", "block.pb.gz", 0)
	write("goroutine", "goroutine.pb.gz", 0)
}
