"""Games that save rolls: the rolls that a turn leaves are one more axis of the card."""
