package formats

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/kafkaconf"
	"github.com/partsize/partsize/calc/provider"
)

// topicResource is how a Terraform provider describes a topic: the names of its arguments.
type topicResource struct {
	name, partitions, replication, config string
	underscores                           bool // keys are written retention_ms
	ibm                                   bool // of IBM Event Streams, which sets aside what a topic may grow to
}

// topicResources are the providers' types of resources, each as its documentation has it.
var topicResources = map[string]topicResource{
	"kafka_topic":                {"name", "partitions", "replication_factor", "config", false, false},
	"confluent_kafka_topic":      {"topic_name", "partitions_count", "", "config", false, false},
	"ibm_event_streams_topic":    {"name", "partitions", "", "config", false, true},
	"aiven_kafka_topic":          {"topic_name", "partitions", "replication", "config", true, false},
	"redpanda_topic":             {"name", "partition_count", "replication_factor", "configuration", false, false},
	"google_managed_kafka_topic": {"topic_id", "partition_count", "replication_factor", "configs", false, false},
}

// terraform is what is collected while a file is read.
type terraform struct {
	r       *Reading
	data    []byte
	topics  []kafkaconf.TopicSettings
	ibm     []bool // of topics
	refused []kafkaconf.Refusal
}

// readTerraform reads the topics among the resources of a Terraform file. An expression that stands for something elsewhere, a
// variable or a function of one, is reported and not guessed.
func readTerraform(data []byte, options kafkaconf.Options) (*Reading, error) {
	if err := nesting(data); err != nil {
		return nil, err
	}
	file, problems := hclsyntax.ParseConfig(data, options.Name, hcl.InitialPos)
	if problems.HasErrors() {
		first := problems[0]
		line := 0
		if first.Subject != nil {
			line = first.Subject.Start.Line
		}
		return nil, fmt.Errorf("line %d cannot be read: %s", line, strings.ToLower(first.Summary))
	}
	t := terraform{r: &Reading{}, data: data}
	for _, block := range file.Body.(*hclsyntax.Body).Blocks {
		if block.Type != "resource" || len(block.Labels) != 2 {
			continue
		}
		if kind, ok := topicResources[block.Labels[0]]; ok {
			t.topic(block, kind)
		}
	}
	if t.topics == nil {
		return nil, fmt.Errorf("%w: no resource is a topic of a provider that is known", errUnknown)
	}
	t.r.assemble(options.Format, nil, t.topics, options)
	t.r.Config.Refused = append(t.r.Config.Refused, t.refused...)
	t.finish()
	return t.r, nil
}

// mostNested is the most brackets within each other, and operators of one expression beside them. The parser calls itself for
// each, and for a template's parts takes time with their square.
const mostNested = 1000

// nesting refuses a text that goes too deep for the parser.
func nesting(data []byte) error {
	tokens, _ := hclsyntax.LexConfig(data, "", hcl.InitialPos) // what is wrong the parser says
	type level struct {
		braces    bool // a line's end ends an expression
		operators int
	}
	open, operators := []level{{braces: true}}, 0
	for _, token := range tokens {
		top := &open[len(open)-1]
		switch token.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp:
			open = append(open, level{braces: token.Type == hclsyntax.TokenOBrace})
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd:
			if len(open) > 1 {
				operators -= top.operators
				open = open[:len(open)-1]
			}
			if token.Type == hclsyntax.TokenCBrack { // a[*][*] is deep, too
				open[len(open)-1].operators++
				operators++
			}
		case hclsyntax.TokenTemplateControl: // ends like an interpolation, but what it begins goes on
			top.operators++
			operators++
			open = append(open, level{})
		case hclsyntax.TokenComma, hclsyntax.TokenNewline:
			if token.Type == hclsyntax.TokenComma || top.braces {
				operators -= top.operators
				top.operators = 0
			}
		case hclsyntax.TokenIdent, hclsyntax.TokenNumberLit, hclsyntax.TokenQuotedLit, hclsyntax.TokenOQuote, hclsyntax.TokenCQuote,
			hclsyntax.TokenEqual, hclsyntax.TokenComment:
		default:
			top.operators++
			operators++
		}
		if len(open)+operators > mostNested {
			return fmt.Errorf("line %d: it goes deeper than %d brackets and operators; write it in parts", token.Range.Start.Line, mostNested)
		}
	}
	return nil
}

// topic reads a resource.
func (t *terraform) topic(block *hclsyntax.Block, kind topicResource) {
	body := block.Body
	topic := kafkaconf.TopicSettings{Name: block.Labels[1]}
	if a := body.Attributes[kind.name]; a != nil {
		name, ok := t.value(a.Expr)
		if topic.Name = name; !ok {
			topic.Name = strings.Trim(name, `"`)
			t.r.warn(a.NameRange.Start.Line, "the name %s is filled in elsewhere", topic.Name)
		}
	}
	topic.Partitions = t.count(body.Attributes[kind.partitions])
	topic.Replication = t.count(body.Attributes[kind.replication])
	if a := body.Attributes[kind.config]; a != nil {
		t.settings(&topic, a.Expr, kind)
	}
	for _, inner := range body.Blocks {
		if inner.Type == kind.config {
			for _, a := range inner.Body.Attributes {
				t.setting(&topic, a.Name, a.Expr, kind)
			}
		}
	}
	t.topics = append(t.topics, topic)
	t.ibm = append(t.ibm, kind.ibm)
}

// settings reads the map of a topic's settings.
func (t *terraform) settings(topic *kafkaconf.TopicSettings, expr hclsyntax.Expression, kind topicResource) {
	object, ok := expr.(*hclsyntax.ObjectConsExpr)
	if !ok {
		t.r.warn(expr.StartRange().Start.Line, "%s unresolved: give the settings themselves", t.source(expr))
		return
	}
	for _, item := range object.Items {
		if key, ok := t.value(item.KeyExpr); ok {
			t.setting(topic, key, item.ValueExpr, kind)
		}
	}
}

func (t *terraform) setting(topic *kafkaconf.TopicSettings, key string, expr hclsyntax.Expression, kind topicResource) {
	if kind.underscores {
		key = strings.ReplaceAll(key, "_", ".")
	}
	line := expr.StartRange().Start.Line
	value, ok := t.value(expr)
	if !ok {
		t.r.warn(line, "%s: %s unresolved: give the value itself", key, value)
		t.refused = append(t.refused, kafkaconf.Refusal{Line: int64(line), Topic: topic.Name, Problem: calc.FieldError{
			Key: key, Value: value, Problem: "is filled in elsewhere", Hint: "give the value itself"}})
		return
	}
	topic.Settings = append(topic.Settings, kafkaconf.Setting{Key: key, Value: value, Line: line})
}

// count reads a number of partitions or replicas; nil where there is none.
func (t *terraform) count(a *hclsyntax.Attribute) *int64 {
	if a == nil {
		return nil
	}
	text, ok := t.value(a.Expr)
	if !ok {
		t.r.warn(a.NameRange.Start.Line, "%s: %s unresolved: give the number itself", a.Name, text)
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 1 {
		t.r.warn(a.NameRange.Start.Line, "%s: %s is no count", a.Name, text)
		return nil
	}
	return &n
}

// value is what an expression comes to as a text; not ok: it cannot be known from the file, and the text is the expression.
func (t *terraform) value(expr hclsyntax.Expression) (text string, ok bool) {
	if !plain(expr) {
		return t.source(expr), false
	}
	v, problems := expr.Value(nil)
	if problems.HasErrors() || !v.IsKnown() || v.IsNull() {
		return t.source(expr), false
	}
	switch v.Type() {
	case cty.String:
		return v.AsString(), true
	case cty.Number:
		if n, accuracy := v.AsBigFloat().Int(nil); accuracy == big.Exact {
			return n.String(), true
		}
		return v.AsBigFloat().Text('g', 20), true
	case cty.Bool:
		return strconv.FormatBool(v.True()), true
	}
	return t.source(expr), false
}

// plain reports whether an expression is made of values and reckoning alone, so that it is worked out in no time: a for may
// go through lists of lists, and make texts and numbers that no memory holds.
func plain(expr hclsyntax.Expression) bool {
	switch e := expr.(type) {
	case *hclsyntax.LiteralValueExpr:
		return e.Val.Type() != cty.Number || moderate(e.Val)
	case *hclsyntax.ObjectConsKeyExpr:
		return hcl.ExprAsKeyword(e.Wrapped) != "" || plain(e.Wrapped)
	case *hclsyntax.ParenthesesExpr:
		return plain(e.Expression)
	case *hclsyntax.TemplateWrapExpr:
		return plain(e.Wrapped)
	case *hclsyntax.TemplateExpr:
		return !slices.ContainsFunc(e.Parts, func(part hclsyntax.Expression) bool { return !plain(part) })
	case *hclsyntax.UnaryOpExpr:
		return plain(e.Val)
	case *hclsyntax.BinaryOpExpr:
		return plain(e.LHS) && plain(e.RHS)
	case *hclsyntax.ConditionalExpr:
		return plain(e.Condition) && plain(e.TrueResult) && plain(e.FalseResult)
	}
	return false
}

// moderate reports whether a number is one that a setting may have, or near that: of a larger one each digit takes time.
func moderate(v cty.Value) bool {
	if !v.IsKnown() || v.IsNull() {
		return true
	}
	const bits = 128
	exponent := v.AsBigFloat().MantExp(nil)
	return !v.AsBigFloat().IsInf() && exponent <= bits && exponent >= -bits
}

// source is an expression as it stands in the file.
func (t *terraform) source(expr hclsyntax.Expression) string {
	return string(bytes.TrimSpace(expr.Range().SliceBytes(t.data)))
}

// finish adds what IBM Event Streams sets aside, and warns of segments that are many.
func (t *terraform) finish() {
	for i := range t.r.Shape.Topics {
		topic := &t.r.Shape.Topics[i]
		if i < len(t.ibm) && t.ibm[i] && topic.Partitions != nil {
			topic.Reserved = reserved(topic.Topic)
		}
		v := topic.Config["segment.ms"]
		if ms, ok := v.Int64(); ok && ms > 0 && ms < int64(calc.Minute) {
			t.r.warn(int(v.Line()), "segment.ms %d: up to %d segments/day per active partition", ms, int64(calc.Day)/ms)
		}
	}
}

// reserved is what IBM Event Streams sets aside for a topic.
func reserved(topic kafkaconf.Topic) *calc.Bytes {
	ibm, err := provider.ServiceOf("ibm-event-streams")
	if err != nil {
		return nil
	}
	one := kafkaconf.Result{Read: kafkaconf.Read{Topics: []kafkaconf.Topic{topic}}}
	asked := provider.Topic{Name: topic.Name, Partitions: *topic.Partitions}
	_ = one.Apply(&asked.Config, "")
	account, ok := provider.NewAccount(provider.Request{Service: ibm, Topics: []provider.Topic{asked}})
	if !ok || account.Endless {
		return nil
	}
	return &account.Reserved
}
