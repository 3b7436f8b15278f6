package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
)

// The icons, by the names that the manifest gives them.
const (
	iconSVG      = "icon.svg"
	iconSmall    = "icon-192.png"
	iconLarge    = "icon-512.png"
	iconMaskable = "icon-maskable.png" // 512, and safe to cut to a circle
)

// bar is a segment in the logo, on a grid of 20 by 20.
type bar struct {
	x, y, w, h int
	fill       color.RGBA
}

// The logo: two closed segments and the active one, as in the page's header
// and in the colours of web/style.css (--closed, --active).
var (
	closed = color.RGBA{0x4b, 0x7b, 0xb5, 0xff}
	active = color.RGBA{0x0b, 0x6e, 0x4f, 0xff}
	paper  = color.RGBA{0xfb, 0xfb, 0xf9, 0xff}

	logo = []bar{
		{1, 3, 11, 4, closed},
		{4, 8, 11, 4, closed},
		{7, 13, 12, 4, active},
	}
)

// icons draws every icon. They are drawn here, and not kept as files, so that
// the logo has one source.
func icons() map[string][]byte {
	return map[string][]byte{
		iconSVG:      drawSVG(),
		iconSmall:    drawPNG(192, 9, 6),
		iconLarge:    drawPNG(512, 24, 16),
		iconMaskable: drawPNG(512, 15, 106),
	}
}

func drawSVG() []byte {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">`)
	for _, r := range logo {
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" fill="#%02x%02x%02x"/>`,
			r.x, r.y, r.w, r.h, r.fill.R, r.fill.G, r.fill.B)
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// drawPNG draws the logo on paper of size by size pixels, each unit of its grid
// scale pixels wide, the grid starting at margin.
func drawPNG(size, scale, margin int) []byte {
	m := image.NewPaletted(image.Rect(0, 0, size, size), color.Palette{paper, closed, active})
	for _, r := range logo {
		fill := uint8(m.Palette.Index(r.fill))
		for y := margin + r.y*scale; y < margin+(r.y+r.h)*scale; y++ {
			for x := margin + r.x*scale; x < margin+(r.x+r.w)*scale; x++ {
				m.SetColorIndex(x, y, fill)
			}
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic("site: " + err.Error()) // a buffer does not fail
	}
	return b.Bytes()
}
