"""What a bundle says before it is published, for `perfpress check`."""
