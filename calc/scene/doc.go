// Package scene is what is shown of a cluster: where every directory stands at a moment, told, drawn and in tables.
//
// A [Desk] works a cluster out and answers looks at it. It runs in the page's worker, which has no page, so a [Scene] is
// plain data that is written as one text and read again on the other side; nothing else of a cluster leaves the desk.
package scene
