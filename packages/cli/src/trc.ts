process.stderr.write("trc is not part of this version of Ralpher yet. What there is: bin/ralpher --help\n");
process.exit(2);
