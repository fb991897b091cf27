// What `gistify --help` prints; kept true by a test that parses every option named here.

export const helpText = `gistify: one pytest test in, one self-contained Python file out.

  gistify run <node id> [options] [-- pytest args]
      Makes the gist of a test, verifies it with the codebase absent, and scores it.
      --repo DIR        codebase (default: the test's pytest rootdir)
      --python PATH     interpreter (default: the active or the codebase's virtual environment, then python3)
      --out FILE        where the gist goes (default: gist_<test>.py in the current folder; - for standard output)
      --report FILE     JSON report: task, scores, timings, layout, the origin of every line
      --layout L        auto, flat or held (default auto)
      --reduce R        executed (default)
      --sandbox S       where the test runs: local (default), docker:IMAGE
      --allow WHAT      what a container may do beyond the usual: network, install (repeatable)
      --env NAME[=V]    a further variable for a container (repeatable)
      --memory SIZE     memory that a container may use (default 4g)
      --timeout S       limit of one pytest run in seconds (default 120)
      --keep-docstrings keep docstrings that nothing reads
      --no-cache        keep no instrumented code for the next run
      --quiet           say nothing but errors
      --verbose         say every candidate that was tried

  gistify score --repo DIR --node <node id> <file>
      Scores any gist, whoever wrote it: the original test is put in first.
      --python, --timeout, --json, --report, --sandbox, --allow, --env, --memory as above

  gistify report <report.json> [--out FILE]
      Shows a report as one page of HTML: files, calls, stages, scores, the gist with its origins.
      (default: beside the report; - for standard output)

  gistify tests [--repo DIR] [--json] [path...]
      Lists tests without running anything.

  gistify --help | --version

Exit status: 0 verified; 1 made but not verified; 2 wrong use; 3 refused; 4 the original test
could not be run; 130 cancelled.
`;
