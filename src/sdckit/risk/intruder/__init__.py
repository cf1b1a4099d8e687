"""The one intruder: everything an attacker knows joined, at three levels of knowledge about the method."""
