package app

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/provider"
)

// at0 is the state of a link.
func at0(t testing.TB, link string) *state {
	t.Helper()
	s := newState()
	require.True(t, s.follow("#v=1&view=service&"+link))
	return s
}

const ibm36 = "service=ibm-event-streams&storage=2TB&retention.bytes=50GiB&segment.bytes=1GiB&partitions=36&produce=5MiB/s"

// The figures of the issue: 52.47 GiB are 50 GiB, a segment of 1 GiB, and two indexes of 10 MiB for each of 51 segments.
func TestServiceReserves(t *testing.T) {
	s := at0(t, ibm36)
	a := s.atService()
	require.True(t, a.reserves)
	each := 50*calc.GiB + calc.GiB + 2*10*calc.MiB*51
	assert.Equal(t, each, a.account.Topics[0].Each)
	assert.Equal(t, provider.Refused, a.decides.Effect)
	assert.Equal(t, "reserved", a.decides.Rule)
	assert.Equal(t, calc.Bytes(1_800_000_000_000), a.account.Limit)
	page := rendered(t, func(r *Root) { r.state = s })
	for _, says := range []string{
		"IBM Event Streams Enterprise: refused.", "PolicyViolation", "Set partitions to 32", "Buy 4TB of storage with 150 MB/s",
		"ES_understanding_reserved_disk_usage", "read 2026-11-30", "2TiB", // the other reading of the unit
		"At its peak this traffic takes", "ibm_eventstreams_instance_reserved_disk_space_percent",
	} {
		assert.Contains(t, page, says)
	}
	assert.Contains(t, page, "part hot", "the partitions above the limit are told apart")
}

// A press applies a way out: what follows is accepted.
func TestServiceFixesHelp(t *testing.T) {
	for _, link := range []string{
		ibm36,
		"service=apsaramq&disk=300GB&produce=1MB/s",
		"service=amazon-msk&disk=100GiB&produce=1MB/s&auto.scaling.target=60",
		"service=aiven&disk=100GiB&produce=1MB/s",
		"service=azure-event-hubs&partitions=64&retention.ms=30d",
		"service=oci-streaming&retention.ms=30d",
	} {
		s := at0(t, link)
		before := s.atService().decides
		require.True(t, before.Breach(), link)
		pressed := 0
		for _, find := range s.serviceFinds().List {
			for _, one := range find.Actions {
				again := at0(t, link)
				if placeKey(one.Key) {
					again.put(one.Key, one.Value)
				} else {
					again.set(one.Key, one.Value)
				}
				pressed++
				for _, f := range again.serviceFinds().List {
					assert.False(t, f.Title == find.Title && f.Words.String() == find.Words.String(), "%s: %s says the same after %s", link, f.Title, one.Label)
				}
			}
		}
		assert.NotZero(t, pressed, link)
	}
}

// Creating, adding and changing are answered, with the sentence and the ways out.
func TestServiceIsAsked(t *testing.T) {
	s := at0(t, "service=ibm-event-streams&storage=2TB&retention.bytes=50GiB&segment.bytes=1GiB&partitions=30&topics="+
		"audit!3!retention.bytes:10GiB;keys!5!cleanup.policy:compact&ask.create=new%206%20retention.bytes=5GiB&ask.add=2&ask.topic=audit&ask.set=log.segment.size=1GiB")
	v := s.askView()
	require.NotNil(t, v)
	require.Empty(t, s.atService().listed)
	assert.Len(t, *v.Topics, 3)
	for _, said := range []*admissionView{v.Created, v.Added, v.Answered} {
		require.NotNil(t, said)
		assert.Empty(t, said.Problem)
		assert.Equal(t, serviceText.allowed, said.Title, said.Words.String())
		assert.Regexp(t, `\d+ more partitions like these fit`, said.Words.String())
	}
	s.put(askCreateKey, "new 6 retention.bytes=500GiB")
	said := s.askView().Created
	assert.Equal(t, serviceText.refused, said.Title)
	assert.Contains(t, said.Words.String(), "PolicyViolation")
	assert.GreaterOrEqual(t, len(said.Actions), 2, "what to ask instead, and what to buy")

	s.put(askTopicKey, "")
	s.put(askSetKey, "retention.bytes=1TiB")
	said = s.askView().Answered
	assert.Contains(t, said.Words.String(), "This is not verified")

	for key, value := range map[string]string{askCreateKey: "audit 5", askSetKey: "nonsense", askAddKey: "many"} {
		s.put(key, value)
	}
	v = s.askView()
	for _, said := range []*admissionView{v.Created, v.Added, v.Answered} {
		assert.NotEmpty(t, said.Problem)
	}
	s.put(askTopicKey, "gone")
	assert.Contains(t, s.askView().Added.Problem, "whole number")
	s.put(askAddKey, "1")
	assert.Contains(t, s.askView().Added.Problem, "no topic")
}

// With cleanup.policy=compact the reservation is flat, and what has no effect is named.
func TestServiceCompacted(t *testing.T) {
	s := at0(t, "service=ibm-event-streams&storage=2TB&cleanup.policy=compact&retention.bytes=50GiB&produce=1MiB/s")
	v := s.accountView()
	require.NotNil(t, v)
	assert.Equal(t, calc.GiB, s.atService().account.Topics[0].Each)
	assert.Contains(t, v.Topics[0].Ignored, "retention.bytes")
}

// 200 MB a day for 5 days are 1 GB, over 10 partitions 100 MB each: IBM's own example.
func TestServiceDailyVolume(t *testing.T) {
	s := at0(t, "service=ibm-event-streams&storage=2TB&partitions=10&daily.volume=200MB&keep=5d&produce=1kB/s")
	v := s.accountView()
	assert.Contains(t, v.Daily, "100 MB")
	require.Len(t, v.Actions, 1)
	assert.Equal(t, "retention.bytes", v.Actions[0].Key)
	n, err := calc.ParseBytes(v.Actions[0].Value)
	require.NoError(t, err)
	assert.Equal(t, calc.Bytes(100_000_000), n)
	s.set("retention.bytes", "2GiB")
	assert.Contains(t, s.accountView().Daily, "holds instead")
}

// The disk of an ApsaraMQ instance: the sawtooth at 04:00, what is forced, what readers get, why a record is there.
func TestServiceDisk(t *testing.T) {
	s := at0(t, "service=apsaramq&disk=900GB&produce=1MB/s&horizon=10d")
	v := s.diskView()
	require.NotEmpty(t, v.Drawing)
	assert.Contains(t, v.Drawing, "04:00")
	assert.NotContains(t, v.Drawing, "forced")
	assert.NotEmpty(t, v.Assumed)
	assert.Nil(t, s.serviceChart(), "the disk has the levels already")
	// A record of the first instant expires after 72 h and waits for 04:00 of the fourth day.
	assert.Contains(t, v.Why.Answer, "expired")
	s.put(whyAtKey, "10h")
	assert.Contains(t, s.diskView().Why.Answer, "older than retention.ms=3d from 3 d 0 h on")
	s.put(whyRecordKey, "soon")
	assert.NotEmpty(t, s.diskView().Why.Problem)

	s = at0(t, "service=apsaramq&disk=300GB&produce=1MB/s&horizon=10d")
	assert.Contains(t, s.diskView().Drawing, "forced")

	s = at0(t, "service=apsaramq&produce=1MB/s")
	v = s.diskView()
	assert.Empty(t, v.Drawing)
	require.NotEmpty(t, v.Missing, "a press gives the disk that is missing")
	s.put(v.Missing[0].Key, v.Missing[0].Value)
	assert.NotEmpty(t, s.diskView().Drawing)
}

// A disk that grows by steps is drawn when it is asked to grow.
func TestServiceGrowth(t *testing.T) {
	s := at0(t, "service=amazon-msk&disk=1000GiB&produce=10MiB/s&partitions=4")
	v := s.growthView()
	require.NotNil(t, v)
	require.Len(t, v.Ask, 1)
	s.put(v.Ask[0].Key, v.Ask[0].Value)
	v = s.growthView()
	assert.NotEmpty(t, v.Drawing)
	assert.Equal(t, provider.Outgrown, s.atService().verdicts[0].Effect)
	// 10 % of 1,000 GiB in 6 hours.
	assert.Contains(t, v.Says, "4.97 MB/s")
	s.put(planKey, "serverless")
	assert.Nil(t, s.growthView())
}

// What is wrong is named, and what was typed stays.
func TestServiceBadInput(t *testing.T) {
	for _, c := range []struct{ link, key, says string }{
		{"service=ibm-event-streams&storage=0", "storage", "is 0"},
		{"service=ibm-event-streams&storage=10MiB", "storage", "smaller than one segment"},
		{"service=ibm-event-streams&storage=lots", "storage", ""},
		{"service=ibm-event-streams&storage=-2TB", "storage", ""},
		{"service=ibm-event-streams&plan=gold", planKey, "is no plan"},
		{"service=ibm-event-streams&keep=5d", "keep", "not how much"},
		{"service=apsaramq&disk=1e999", "disk", ""},
		{"service=apsaramq&time.zone=Hangzhou", "time.zone", ""},
		{"service=apsaramq&cleanup.period=0", "cleanup.period", ""},
	} {
		s := at0(t, c.link)
		p := s.atService().problems[c.key]
		require.NotNil(t, p, c.link)
		assert.Contains(t, p.Problem, c.says, c.link)
		assert.Equal(t, "v=1&view=service&"+c.link, s.fragment(), "nothing is lost")
		assert.Contains(t, rendered(t, func(r *Root) { r.state = s }), `id="sentence"`)
	}

	s := at0(t, "service=ibm")
	page := rendered(t, func(r *Root) { r.state = s })
	assert.Contains(t, page, "not known here: ibm")
	assert.Contains(t, page, "Use ibm-event-streams")
	assert.Equal(t, "v=1&view=service&service=ibm", s.fragment())
	s.pick("ibm-event-streams", "")
	assert.Equal(t, "v=1&view=service&service=ibm-event-streams", s.fragment())

	s = at0(t, "service=ibm-event-streams&plan=standard&retention.bytes=5GiB&retention.ms=90min&segment.bytes=1GiB")
	rules := map[string]bool{}
	for _, v := range s.atService().verdicts {
		rules[v.Rule] = true
	}
	for _, rule := range []string{"standard.retention.bytes", "standard.segment.bytes", "standard.retention.ms"} {
		assert.True(t, rules[rule], rule)
	}
	s.put(topicsKey, packTopics("a 3 retention.bytes=x\n=5\na 4\nb 0\nc segmnt.bytes=1GiB"))
	assert.Len(t, s.topicsView().Problems, 5)
	assert.Equal(t, "a 3 retention.bytes=x\n=5\na 4\nb 0\nc segmnt.bytes=1GiB", s.topicsView().Text)
}

// A thousand topics are read, listed in short, and kept in the link.
func TestServiceOfAThousandTopics(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "topic-%d %d retention.bytes=%dMiB\n", i, i%7+1, i+1)
	}
	s := at0(t, "service=ibm-event-streams&storage=12TB")
	s.list(strings.TrimSpace(b.String()))
	assert.Len(t, s.atService().request.Topics, 1001)
	assert.Empty(t, s.atService().listed)
	v := s.accountView()
	assert.Len(t, v.Topics, mostReserved)
	assert.Contains(t, v.More, "981 more topics")
	link := s.fragment()
	require.Less(t, len(link), linkLimit)
	again := newState()
	require.True(t, again.follow(link))
	assert.Equal(t, s.atService().account.Reserved, again.atService().account.Reserved)
}

// What Kafka's tools print is read as a list of topics.
func TestServiceReadsTools(t *testing.T) {
	s := at0(t, "service=ibm-event-streams&storage=2TB")
	s.list("Topic: orders\tTopicId: abc\tPartitionCount: 12\tReplicationFactor: 3\tConfigs: segment.bytes=536870912,retention.bytes=1073741824\n" +
		"\tTopic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3\n")
	require.Len(t, s.atService().request.Topics, 2)
	assert.Equal(t, "orders", s.atService().request.Topics[1].Name)
	assert.Equal(t, int64(12), s.atService().request.Topics[1].Partitions)
	assert.Contains(t, s.topicsView().Text, "orders 12 ")
}

func TestTopicsArePacked(t *testing.T) {
	for _, list := range []string{"", "a", "orders 12 retention.bytes=10GiB\naudit 3 cleanup.policy=compact,delete", "a b\n", "x:y 3", "a;b c"} {
		assert.Equal(t, list, unpackTopics(packTopics(list)), list)
	}
	assert.Equal(t, "a!3!retention.bytes:1GiB;b", packTopics("a 3 retention.bytes=1GiB\nb"))
}

// The table has every service in every plan; what is not known has a ring of its own and says what is missing.
func TestServiceTable(t *testing.T) {
	s := at0(t, "retention.bytes=50GiB&partitions=36&produce=1MiB/s")
	rows := s.servicesView().Rows
	plans := 0
	for _, one := range provider.Services() {
		plans += max(len(one.Plans), 1)
	}
	require.Len(t, rows, plans)
	for _, row := range rows {
		assert.NotEmpty(t, row.Words.String(), row.Name)
		switch row.ID {
		case "ibm-event-streams":
			if row.Plan == "enterprise" {
				assert.Equal(t, "Not known", row.Verdict, "without its storage nobody knows")
				assert.Contains(t, row.Icon, "l-wait")
				assert.Contains(t, row.Words.String(), "give storage=2TB")
			}
		case "apache-kafka":
			assert.Equal(t, "Accepted", row.Verdict)
		}
	}
}

// The partition's view says what the picked service makes of it, and draws its levels where they are about the same log.
func TestPartitionTellsOfTheService(t *testing.T) {
	s := newState()
	require.True(t, s.follow("#v=1&service=aiven&disk=600GiB&produce=1MB/s&partitions=3&replication.factor=3"))
	assert.Len(t, s.serviceLines(), 2)
	assert.Contains(t, s.charts().Overview+s.charts().Detail, "limit")
	n, ok := s.serviceFinding()
	require.True(t, ok)
	assert.Contains(t, n.Title, "Aiven")
	s.pick("", "")
	_, ok = s.serviceFinding()
	assert.False(t, ok)
	assert.Empty(t, s.serviceLines())
}

// Every service in every plan is drawn, for every scenario that people try, with little and much given.
func TestEveryServiceIsDrawn(t *testing.T) {
	for _, one := range provider.Services() {
		plans := one.Plans
		if len(plans) == 0 {
			plans = []provider.Plan{{}}
		}
		for _, p := range plans {
			for _, more := range []string{"", "&disk=1TiB&storage=2TB&vcpus=12&min.free=10GiB&auto.scaling.target=60", "&remote.storage.enable=true&local.retention.ms=1d", "&retention.bytes=-1&produce=0/s", "&cleanup.policy=compact"} {
				s := at0(t, "service="+one.ID+"&plan="+p.ID+more)
				d := s.serviceDetails()
				assert.NotEmpty(t, d.head.Words.String(), one.ID)
				for _, field := range d.head.Fields {
					assert.Empty(t, field.Problem, one.ID+p.ID+more)
				}
				_ = s.spoken()
				_ = s.pinned()
			}
		}
	}
}

func BenchmarkServiceView(b *testing.B) {
	for _, link := range []string{"", ibm36, "service=apsaramq&disk=300GB&produce=1MB/s"} {
		b.Run(link, func(b *testing.B) {
			s := at0(b, link)
			for b.Loop() {
				s.drop()
				s.simulated = simulated{}
				s.serviceDetails()
			}
		})
	}
	b.Run("table", func(b *testing.B) {
		s := at0(b, ibm36)
		for b.Loop() {
			s.drop()
			s.servicesView()
		}
	})
}

// The smaller program has no provider, and its own table of names.
func TestNamesAreTheServices(t *testing.T) { assert.Equal(t, provider.Names(), serviceNames) }

// The names that IBM's pages write are understood wherever a setting is read.
func TestServicesNamesOfSettings(t *testing.T) {
	s := newState()
	require.True(t, s.follow("#v=1&log.segment.size=512MiB&segment.index.size=1MiB"))
	for key, want := range map[string]string{"segment.bytes": "512MiB", "segment.index.bytes": "1MiB"} {
		got, given := s.input.Given(key)
		assert.True(t, given)
		assert.Equal(t, want, got)
	}
	for key := range s.input.Unknown() {
		assert.Fail(t, "unknown: "+key)
	}
	s = newState()
	s.takePaste("Dynamic configs for topic small are:\n  log.segment.size=536870912 sensitive=false synonyms={}\n")
	got, _ := s.input.Given("segment.bytes")
	assert.Equal(t, "536870912", got)

	for content, key := range map[string]string{
		"retention.bytes=1073741824\nlog.segment.size=134217728\nsegment.index.size=10485760\n": "segment.bytes",     // a topic's
		"broker.id=1\nlog.retention.bytes=1073741824\nlog.segment.size=134217728\n":             "log.segment.bytes", // a broker's
		"log.segment.size=134217728\n": "segment.bytes",
	} {
		s = newState()
		s.takePaste(content)
		got, given := s.input.Given(key)
		assert.True(t, given, content)
		assert.Equal(t, "134217728", got)
	}
}

// A way out of another topic's rule changes that topic's line in the list, and nothing of this one.
func TestWaysOutOfOtherTopics(t *testing.T) {
	s := at0(t, "service=ibm-event-streams&storage=2TB&topics=small!1;large!10!retention.bytes:3TiB;middle!4!retention.bytes:100GiB")
	before := s.fragment()
	press := func(label string) {
		t.Helper()
		for _, find := range s.serviceFinds().List {
			for _, one := range find.Actions {
				if !strings.HasPrefix(one.Label, label) {
					continue
				}
				switch one.Act {
				case setTopic:
					name, key, _ := strings.Cut(one.Key, ":")
					s.setOther(name, key, one.Value)
				case deleteTopics:
					s.deleteOthers(strings.Fields(one.Key))
				default:
					t.Fatal(one)
				}
				return
			}
		}
		t.Fatalf("no button %s", label)
	}
	press("Set retention.bytes to 2TiB")
	assert.Equal(t, strings.Replace(before, "retention.bytes:3TiB", "retention.bytes:2TiB", 1), s.fragment())
	press("Delete topic large")
	assert.Equal(t, "small 1\nmiddle 4 retention.bytes=100GiB", s.topicsView().Text)
	assert.False(t, s.atService().decides.Breach())

	for _, c := range []struct{ line, key, value, want string }{
		{"a", "partitions", "3", "a 3"},
		{"a 12 x=1", "partitions", "3", "a 3 x=1"},
		{"a partitions=12", "partitions", "3", "a 3"},
		{"a 12 log.segment.size=1GiB", "segment.bytes", "2MiB", "a 12 segment.bytes=2MiB"},
		{"a 12", "retention.bytes", "1GiB", "a 12 retention.bytes=1GiB"},
	} {
		assert.Equal(t, c.want, withSetting(strings.Fields(c.line), c.key, c.value), c.line)
	}
}

// Each way out of a refused operation that can be pressed makes it one that is allowed.
func TestWaysOutOfOperations(t *testing.T) {
	const link = "service=ibm-event-streams&storage=2TB&retention.bytes=50GiB&segment.bytes=1GiB&partitions=20&topics=audit!10!retention.bytes:20GiB"
	for _, c := range []struct {
		asked string
		of    func(*askView) *admissionView
		most  int // buttons that are expected at least
	}{
		{"ask.create=new%2040%20retention.bytes=50GiB", func(v *askView) *admissionView { return v.Created }, 3},
		{"ask.add=30", func(v *askView) *admissionView { return v.Added }, 3},
		{"ask.add=60&ask.topic=audit", func(v *askView) *admissionView { return v.Added }, 3},
		{"ask.set=retention.bytes=200GiB", func(v *askView) *admissionView { return v.Answered }, 2},
		{"ask.set=retention.bytes=200GiB&ask.topic=audit", func(v *askView) *admissionView { return v.Answered }, 2},
	} {
		s := at0(t, link+"&"+c.asked)
		said := c.of(s.askView())
		require.Equal(t, serviceText.refused, said.Title, c.asked)
		assert.GreaterOrEqual(t, len(said.Actions), c.most, "%s: %v", c.asked, said.Actions)
		for _, one := range said.Actions {
			again := at0(t, link+"&"+c.asked)
			switch {
			case one.Act == setTopic:
				name, key, _ := strings.Cut(one.Key, ":")
				again.setOther(name, key, one.Value)
			case one.Act == deleteTopics:
				again.deleteOthers(strings.Fields(one.Key))
			case placeKey(one.Key):
				again.put(one.Key, one.Value)
			default:
				again.set(one.Key, one.Value)
			}
			after := c.of(again.askView())
			assert.Equal(t, serviceText.allowed, after.Title, "%s: %s: %s %s", c.asked, one.Label, after.Words.String(), after.Problem)
		}
	}
}

// Kafka's own topics of the list are set apart, and a number of partitions that is not given is marked.
func TestServiceOwnAndUncountedTopics(t *testing.T) {
	s := at0(t, "service=ibm-event-streams&storage=2TB&topics=orders;__consumer_offsets!50;audit!3")
	a := s.atService()
	assert.Len(t, a.request.Topics, 3)
	v := s.topicsView()
	assert.Contains(t, v.Internal, "__consumer_offsets")
	assert.Contains(t, v.Text, "__consumer_offsets 50", "nothing is lost")
	assert.Contains(t, v.Says, "2 topics")
	account := s.accountView()
	assert.NotEmpty(t, account.Assumed)
	for _, row := range account.Topics {
		assert.Equal(t, row.Name == "orders", strings.HasSuffix(row.Partitions, "?"), row.Name)
	}
	assert.Contains(t, rendered(t, func(r *Root) { r.state = s }), "1?: how many partitions")
}

// What takes long is found out beside the page; until it is there, what was there before stands for it.
func TestServiceWaits(t *testing.T) {
	s := newState()
	s.client = true
	require.True(t, s.follow("#v=1&view=service&service=apsaramq&disk=300GB&produce=1MB/s"))
	a := s.atService()
	assert.True(t, a.wait && a.nothing)
	page := rendered(t, func(r *Root) { r.state = s })
	assert.Contains(t, page, "is being asked")
	assert.NotContains(t, page, ">accepted")
	require.True(t, s.serve(s.serviceKey(), s.asking(), nil))
	s.drop()
	a = s.atService()
	assert.False(t, a.wait)
	assert.Equal(t, provider.Lost, a.decides.Effect)
	assert.NotNil(t, a.disk)

	s.set("disk", "200GB")
	b := s.atService()
	assert.True(t, b.wait && !b.nothing)
	assert.True(t, a.disk == b.disk)
	head := s.serviceHead()
	assert.True(t, head.Stale)
	for _, f := range head.Fields {
		if f.Key == "disk" {
			assert.Equal(t, "200GB", f.Text, "what was typed is there at once")
		}
	}
	s.put("cleanup.period", "nonsense")
	assert.NotNil(t, s.atService().problems["cleanup.period"], "and what is wrong with it")
	s.put("cleanup.period", "")
	s.set("disk", "300GB")
	assert.True(t, a == s.atService(), "what is known is not asked again")

	s = newState()
	s.client = true
	require.True(t, s.follow("#v=1&view=service&service=aiven&disk=1TiB"))
	assert.False(t, s.atService().wait, "this takes no time")
}

// A value that is Kafka's default is no default at a service that has another: it is kept when it is typed there.
func TestServiceDefaultsAreShownAndTypedOver(t *testing.T) {
	s := at0(t, "service=ibm-event-streams")
	row, _, _ := calc.SettingOf("segment.bytes")
	s.form()
	v := s.field(&row)
	assert.Equal(t, "512MiB", v.Text)
	assert.Equal(t, serviceText.byService, v.Mark)
	s.set("segment.bytes", "1GiB")
	v = s.field(&row)
	assert.Equal(t, "1GiB", v.Text)
	assert.True(t, v.Changed)
	assert.Equal(t, "v=1&view=service&service=ibm-event-streams&segment.bytes=1GiB", s.fragment())
	assert.Equal(t, calc.Bytes(0), s.atService().account.Topics[0].Each-(calc.GiB+calc.GiB+2*10*calc.MiB*2), "1 GiB of retention, one of a segment, two indexes of two segments")
	s.reset("segment.bytes")
	assert.Equal(t, "512MiB", s.field(&row).Text)

	s = newState()
	s.form()
	assert.Equal(t, "1GiB", s.field(&row).Text)
}

// What only counts what can never be deleted is not shown as a reservation, and no size is named where there is no limit.
func TestServiceAccountIsOfThoseThatReserve(t *testing.T) {
	s := at0(t, "service=huawei-dms&disk=500GB&produce=1MB/s&partitions=6")
	assert.Nil(t, s.accountView())
	assert.Nil(t, s.askView())
	assert.NotNil(t, s.serviceDetails().others, "other topics count there, too")

	s = at0(t, "service=ibm-event-streams&storage=2TB&retention.bytes=-1")
	v := s.accountView()
	assert.Equal(t, []string{serviceText.unlimited}, v.Says)
	assert.Equal(t, serviceText.noLimit, v.Topics[0].Total)
	assert.Equal(t, serviceText.noLimit, v.Total.Amount)
}
