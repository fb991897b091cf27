// What `gistify --help` prints; kept true by a test that parses every option named here.

export const helpText = `gistify: one pytest test in, one self-contained Python file out.

  gistify run <node id> [options] [-- pytest args]
      Makes the gist of a test, verifies it with the codebase absent, and scores it.
      --command "python -m module …"  in place of a node id: the gist of a command, run in the codebase;
                        also "python script.py …"
      --repo DIR        codebase (default: the test's pytest rootdir)
      --python PATH     interpreter (default: the active or the codebase's virtual environment, then python3)
      --out FILE        where the gist goes (default: gist_<test>.py in the current folder; - for standard output)
      --report FILE     JSON report: task, scores, timings, layout, the origin of every line
      --layout L        auto, flat or held (default auto)
      --reduce R        executed (default): all that ran; minimal: the smallest that keeps the outcome
      --budget S        seconds that minimal may take to find less (default 120)
      --sandbox S       where the test runs: auto (default; local with --python), local, devcontainer[:NAME],
                        docker:IMAGE
      --allow WHAT      network, install (pytest, in a throw-away layer), initialize-command (of the dev
                        container), unconfined (local without bubblewrap); repeatable
      --env NAME[=V]    a further variable for the test (repeatable)
      --memory SIZE     memory that a container may use (default 4g)
      --timeout S       limit of one pytest run in seconds (default 120)
      --keep-docstrings keep docstrings that nothing reads
      --no-cache        keep no instrumented code for the next run
      --quiet           say nothing but errors
      --verbose         say every candidate that was tried

      Language-model agents (the built-in one needs no model):
      --agent A         builtin, mini, swe-agent, copilot, static, or command:"any command" (default builtin)
      --model P/NAME    anthropic/…, openai/…, ollama/…, vllm/…, lmstudio/…, openai-compatible/…, or
                        replay/FILE, a recorded run; keys come from ANTHROPIC_API_KEY and OPENAI_API_KEY
      --base-url URL    where the model's server is
      --repair          only where the built-in gist does not verify: the agent mends it
      --execution E     off, bash, edit (write and run the gist) or on (both) (default off)
      --strategy S      base, tracing, reading or test-body (default base)
      --global-tools T  graph, trace or graph,trace: the code graph, the trace of the real run
      --max-steps N     replies (default 50)
      --context-tokens N  tokens of one request and its reply (default 128000)
      --max-tokens N, --max-cost USD  caps of the whole run
      --price IN,OUT[,CACHED]  US dollars for a million tokens, where the list price is not known
      --rpm N           requests a minute at most
      --temperature T, --max-output N, --no-stream  of each reply
      --step-timeout S, --agent-timeout S  limits of one tool call (60) and of the whole run (3600)
      --agent-env A,B   environment variables that a command agent gets
      --trajectory FILE every message, reply and tool call as JSON lines

  gistify score --repo DIR --node <node id> <file>
      Scores any gist, whoever wrote it: the original test is put in first.
      --python, --timeout, --json, --report, --sandbox, --allow, --env, --memory as above

  gistify report <report.json> [--out FILE]
      Shows a report as one page of HTML: files, calls, stages, scores, the gist with its origins.
      (default: beside the report; - for standard output)

  gistify export <node id>|<gist> [--as py|md|zip|json] [options]
      Makes a repro that runs anywhere and is fit to be sent: packages pinned, names of this machine and
      secrets masked, verified as it is written. A gist is exported with its report (--report, or beside it).
      --as FORM         py (default): the file; md: the text of an issue; zip: both, with data files; json: all parts
      --out FILE        where it goes (default: repro.py, repro.md, repro.zip, repro.json)
      --secrets WHAT    mask (default) or keep what looks like a secret; it is named either way
      --repo, --python, --reduce, --budget, --layout, --timeout, --quiet, --verbose as above

  gistify tests [--repo DIR] [--json] [path...]
      Lists tests without running anything.

  gistify bench <command>
      The paper's evaluation of any agent on any repository (see README):
      collect --repo DIR | --dataset FILE   run and measure all tests, drop what cannot be a task
      sample DATASET... -n N --seed S       N tests a repository; --hard K the hardest, --mark-hard K
      run DATASET --agent A -o RESULTS      goes on where it was stopped; --shard i/n, -j JOBS, --hard
      report RESULTS                        Markdown, JSON, CSV and one HTML page
      compare RESULTS@A RESULTS@B           paired differences with confidence intervals
      merge RESULTS... -o RESULTS           results of shards as one
      manifest kubernetes|github DATASET    runs the shards on an engine
      schema dataset|agents|run|session|result
  gistify mcp [--repo DIR] [--python PATH] [--timeout S]
      Serves gistify_run and gistify_score to other agents over the Model Context Protocol.

  gistify --help | --version

Exit status: 0 verified; 1 made but not verified; 2 wrong use; 3 refused; 4 the original test
could not be run; 130 cancelled.
`;
