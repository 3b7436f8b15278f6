// Package url stands in for net/url in the copy of go-app that is built for
// the browser: that one links net/netip and unique, for addresses that are never
// looked into. The parts of an address stay here as they are written, nothing is
// decoded, and no address is refused.
package url

import "strings"

// URL is an address in its parts.
type URL struct {
	Scheme   string
	Opaque   string // what follows the scheme where no slash does
	User     string
	Host     string
	Path     string
	RawQuery string
	Fragment string
}

// Parse parts an address. It does not fail.
func Parse(address string) (*URL, error) {
	var u URL
	address, u.Fragment, _ = strings.Cut(address, "#")
	address, u.RawQuery, _ = strings.Cut(address, "?")
	u.Scheme, address = cutScheme(address)
	rest, ok := strings.CutPrefix(address, "//")
	switch {
	case ok:
		u.Host, u.Path = rest, ""
		if slash := strings.IndexByte(rest, '/'); slash >= 0 {
			u.Host, u.Path = rest[:slash], rest[slash:]
		}
		if at := strings.LastIndexByte(u.Host, '@'); at >= 0 {
			u.User, u.Host = u.Host[:at], u.Host[at+1:]
		}
	case u.Scheme != "" && !strings.HasPrefix(address, "/"):
		u.Opaque = address
	default:
		u.Path = address
	}
	return &u, nil
}

func cutScheme(address string) (scheme, rest string) {
	for i := range len(address) {
		switch c := address[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return strings.ToLower(address[:i]), address[i+1:]
		default:
			return "", address
		}
	}
	return "", address
}

// Hostname is the host without its port.
func (u *URL) Hostname() string {
	host := u.Host
	if colon := strings.LastIndexByte(host, ':'); colon > strings.LastIndexByte(host, ']') {
		host = host[:colon]
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

// String is the whole address.
func (u *URL) String() string {
	var b strings.Builder
	if u.Scheme != "" {
		b.WriteString(u.Scheme + ":")
	}
	if u.Opaque != "" {
		b.WriteString(u.Opaque)
	} else {
		if u.Host != "" || u.User != "" || u.Scheme == "file" {
			b.WriteString("//")
			if u.User != "" {
				b.WriteString(u.User + "@")
			}
			b.WriteString(u.Host)
			if u.Path != "" && u.Path[0] != '/' {
				b.WriteByte('/')
			}
		}
		b.WriteString(u.Path)
	}
	if u.RawQuery != "" {
		b.WriteString("?" + u.RawQuery)
	}
	if u.Fragment != "" {
		b.WriteString("#" + u.Fragment)
	}
	return b.String()
}
