//! Camera, gestures, wires and hit tests of the two canvases.
