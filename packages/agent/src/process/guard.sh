# Runs an agent, and sees to it that nothing of the agent outlives this guard or the guard's owner.
#
#   sh -c <this text> ralpher-guard <mark> <program> [argument]...
#
# Descriptor 3 is the owner's lifeline: it carries nothing, and its end means that the owner is done or dead, however it
# died. Then, and when the program ends by itself, everything that belongs to the program gets TERM, and KILL two
# seconds later: what carries the mark in its environment (Linux), what is in this process group, and all descendants.
# Standard input is the program's. The guard ends with the program's exit code. At rest it is a blocked read and a blocked wait.

mark=$1
shift
guard=$$

# Every process as "pid ppid pgid state".
processes() {
  if [ -r /proc/self/stat ]; then
    # The second field, the name in brackets, may hold blanks and brackets itself.
    cat /proc/[0-9]*/stat 2>/dev/null | awk '{ pid = $1; sub(/.*\) /, ""); print pid, $2, $3, $1 }'
  else
    ps -A -o pid= -o ppid= -o pgid= -o state=
  fi
}

# Processes that carry the mark, as "marked pid". Tools that an agent runs may have sessions of their own.
marked() {
  [ -r /proc/self/environ ] || return 0
  LC_ALL=C grep -lsF -e "RALPHER_AGENT_MARK=$mark" /proc/[0-9]*/environ | sed 's|^/proc/\([0-9]*\)/.*|marked \1|'
}

# The pids of what is left of the agent. $1 is the shell that asks: it and its own children do not count.
remains() {
  { marked; processes; } | awk -v guard="$guard" -v self="$1" '
    $1 == "marked" { of[$2] = 1; next }
    $4 ~ /^[ZX]/ { next } # dead; only its parent can take it away
    { parent[$1] = $2; if ($3 == guard) of[$1] = 1 }
    END {
      of[guard] = 1; mine[self] = 1
      do {
        grown = 0
        for (pid in parent) {
          if (!(pid in of) && parent[pid] in of) { of[pid] = 1; grown = 1 }
          if (!(pid in mine) && parent[pid] in mine) { mine[pid] = 1; grown = 1 }
        }
      } while (grown)
      for (pid in of) if (pid in parent && pid != guard && !(pid in mine)) print pid
    }'
}

# End what is left of the agent. A process may fork while it is being ended, so look again until there is nothing.
clean() {
  round=0
  while [ "$round" -lt 200 ]; do
    pids=$(remains "$1")
    [ -n "$pids" ] || return 0
    # The list of pids is meant to be split into words.
    # shellcheck disable=SC2086
    if [ "$round" -eq 0 ]; then
      kill -s TERM $pids 2>/dev/null
    elif [ "$round" -ge 40 ]; then
      kill -s KILL $pids 2>/dev/null
    fi
    round=$((round + 1))
    sleep 0.05 2>/dev/null || sleep 1
  done
}

# A signal to the group must not end the guard before it has cleaned up. Not '' but ':', else the agent inherits it.
trap : TERM INT HUP

(
  while read -r _ <&3; do :; done
  # POSIX has no name for a subshell's own pid.
  clean "$(exec sh -c 'echo $PPID')"
) </dev/null >/dev/null 2>&1 &
watcher=$!

# In the foreground: what a shell runs in the background ignores SIGINT, and so would everything the agent starts.
RALPHER_AGENT_MARK=$mark "$@" 3<&-
code=$?

kill "$watcher" 2>/dev/null
clean "$guard"
exit "$code"
