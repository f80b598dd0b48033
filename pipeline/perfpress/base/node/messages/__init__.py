"""What crosses between Python and the Node packages: one Struct each for requests and answers."""
