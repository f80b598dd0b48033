// Writes a pprof file as OTLP, with the library of OpenTelemetry's Collector
// (go.opentelemetry.io/collector/pdata/pprofile v0.165.0, github.com/google/pprof/profile):
//
//	go run convert.go ../pprof/cpu.pb.gz cpu.otlp.pb cpu.otlp.json
package main

import (
	"os"

	"github.com/google/pprof/profile"
	"go.opentelemetry.io/collector/pdata/pprofile"
)

// dictionary numbers what is in its tables, whose first entries stand for none.
type dictionary struct {
	pprofile.ProfilesDictionary
	strings   map[string]int32
	functions map[uint64]int32
	mappings  map[uint64]int32
	locations map[uint64]int32
}

func newDictionary(tables pprofile.ProfilesDictionary) *dictionary {
	d := &dictionary{tables, map[string]int32{}, map[uint64]int32{}, map[uint64]int32{}, map[uint64]int32{}}
	d.text("")
	d.MappingTable().AppendEmpty()
	d.LocationTable().AppendEmpty()
	d.FunctionTable().AppendEmpty()
	d.LinkTable().AppendEmpty()
	d.AttributeTable().AppendEmpty()
	d.StackTable().AppendEmpty()
	return d
}

func (d *dictionary) text(s string) int32 {
	at, ok := d.strings[s]
	if !ok {
		at = int32(d.StringTable().Len())
		d.StringTable().Append(s)
		d.strings[s] = at
	}
	return at
}

func (d *dictionary) function(f *profile.Function) int32 {
	at, ok := d.functions[f.ID]
	if !ok {
		at = int32(d.FunctionTable().Len())
		d.functions[f.ID] = at
		entry := d.FunctionTable().AppendEmpty()
		entry.SetNameStrindex(d.text(f.Name))
		entry.SetSystemNameStrindex(d.text(f.SystemName))
		entry.SetFilenameStrindex(d.text(f.Filename))
	}
	return at
}

func (d *dictionary) mapping(m *profile.Mapping) int32 {
	if m == nil {
		return 0
	}
	at, ok := d.mappings[m.ID]
	if !ok {
		at = int32(d.MappingTable().Len())
		d.mappings[m.ID] = at
		entry := d.MappingTable().AppendEmpty()
		entry.SetMemoryStart(m.Start)
		entry.SetMemoryLimit(m.Limit)
		entry.SetFilenameStrindex(d.text(m.File))
	}
	return at
}

func (d *dictionary) location(l *profile.Location) int32 {
	at, ok := d.locations[l.ID]
	if !ok {
		at = int32(d.LocationTable().Len())
		d.locations[l.ID] = at
		entry := d.LocationTable().AppendEmpty()
		entry.SetMappingIndex(d.mapping(l.Mapping))
		entry.SetAddress(l.Address)
		for _, line := range l.Line {
			each := entry.Lines().AppendEmpty()
			each.SetFunctionIndex(d.function(line.Function))
			each.SetLine(line.Line)
		}
	}
	return at
}

func (d *dictionary) attribute(key, value string) int32 {
	entry := d.AttributeTable().AppendEmpty()
	entry.SetKeyStrindex(d.text(key))
	entry.Value().SetStr(value)
	return int32(d.AttributeTable().Len() - 1)
}

func (d *dictionary) valueType(to pprofile.ValueType, from *profile.ValueType) {
	to.SetTypeStrindex(d.text(from.Type))
	to.SetUnitStrindex(d.text(from.Unit))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	file, err := os.Open(os.Args[1])
	must(err)
	in, err := profile.Parse(file)
	must(err)

	out := pprofile.NewProfiles()
	d := newDictionary(out.Dictionary())
	resource := out.ResourceProfiles().AppendEmpty()
	resource.Resource().Attributes().PutStr("service.name", "store")
	scope := resource.ScopeProfiles().AppendEmpty()
	worker := d.attribute("thread.name", "writer")

	stacks := make([]int32, len(in.Sample))
	for i, sample := range in.Sample {
		stacks[i] = int32(d.StackTable().Len())
		stack := d.StackTable().AppendEmpty()
		for _, location := range sample.Location {
			stack.LocationIndices().Append(d.location(location))
		}
	}
	for column, sampleType := range in.SampleType {
		p := scope.Profiles().AppendEmpty()
		d.valueType(p.SampleType(), sampleType)
		d.valueType(p.PeriodType(), in.PeriodType)
		p.SetPeriod(in.Period)
		for i, sample := range in.Sample {
			s := p.Samples().AppendEmpty()
			s.SetStackIndex(stacks[i])
			s.Values().Append(sample.Value[column])
			if i == 0 {
				s.AttributeIndices().Append(worker)
			}
		}
	}
	bytes, err := (&pprofile.ProtoMarshaler{}).MarshalProfiles(out)
	must(err)
	must(os.WriteFile(os.Args[2], bytes, 0o644))
	json, err := (&pprofile.JSONMarshaler{}).MarshalProfiles(out)
	must(err)
	must(os.WriteFile(os.Args[3], append(json, '\n'), 0o644))
}
