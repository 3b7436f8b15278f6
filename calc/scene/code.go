package scene

import "strconv"

// coder writes values into a text, one after the other, or reads them from it again. The same calls do both, so that what is
// written and what is read cannot differ.
type coder struct {
	read bool
	text string // written, or what is left to read
	bad  bool   // what is read was not written by this version
	out  []byte
}

func (c *coder) number(n *int) {
	v := int64(*n)
	c.long(&v)
	*n = int(v)
}

func (c *coder) long(n *int64) {
	if !c.read {
		c.out = append(strconv.AppendInt(c.out, *n, 10), ',')
		return
	}
	for i := 0; i < len(c.text) && i < 21; i++ {
		if c.text[i] == ',' {
			v, err := strconv.ParseInt(c.text[:i], 10, 64)
			c.bad = c.bad || err != nil
			*n, c.text = v, c.text[i+1:]
			return
		}
	}
	c.bad, c.text, *n = true, "", 0
}

func (c *coder) flag(b *bool) {
	n := 0
	if *b {
		n = 1
	}
	c.number(&n)
	*b = n == 1
}

func (c *coder) words(s *string) {
	n := len(*s)
	c.number(&n)
	if !c.read {
		c.out = append(c.out, *s...)
		return
	}
	if n < 0 || n > len(c.text) {
		c.bad, n = true, 0
	}
	*s, c.text = c.text[:n], c.text[n:]
}

// list codes a list, each item by its own function.
func list[T any](c *coder, items *[]T, each func(*T)) {
	n := len(*items)
	c.number(&n)
	if c.read {
		if n < 0 || n > len(c.text) {
			c.bad, n = true, 0
		}
		if *items = nil; n > 0 {
			*items = make([]T, n)
		}
	}
	for i := range *items {
		each(&(*items)[i])
	}
}
