# sh check.sh: whether the project does what it should.
set -eu
[ "$(sh summary.sh sample.log)" = '2 errors, the last: ERROR it boiled dry' ]
# Every level of the sample exists.
cut -d ' ' -f 1 sample.log | while read -r level; do grep -qx "$level" lib/levels.txt; done
