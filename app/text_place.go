package app

// placeText is the words about views.
var placeText = struct{ away string }{
	away: "The view %s could not be loaded. It needs the network once; this is the partition's view of the same scenario.",
}
