echo 'this idea breaks' >&2
exit 1
