"""How long a test waits for what is on its way, in seconds.

All but one end a test that hangs and say nothing about speed: much longer than anything takes
on a machine with too much to do, on which nothing is compiled to bytecode yet.
"""

# A program that runs, to answer, to say or to end.
LIMIT = 30.0
# A program that imports the official package, to start.
START = 60.0
# A test as a whole.
WHOLE = 90.0
# Whatever waits, when what it waits for is gone.
PROMISED = 5.0
