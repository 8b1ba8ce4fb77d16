// The program that a line of shell begins with, where that can be told without a shell.

/** Null: it begins with a path, a variable, quotes or something that the shell itself does. */
export function shellProgram(command: string): string | null {
  const [word = ''] = command.trim().split(/\s+/, 1)
  return /^[\w+-][\w.+-]*$/.test(word) && !OF_THE_SHELL.has(word) ? word : null
}

/** Reserved words and built-in commands of sh, and those that bash and zsh have besides. */
const OF_THE_SHELL = new Set(
  [
    'case do done elif else esac fi for function if in select then time until while coproc',
    'alias bg break builtin cd command continue declare dirs disown echo enable eval exec exit export false fc fg getopts',
    'hash jobs kill let local logout mapfile popd printf pushd pwd read readonly return set shift shopt source test times',
    'trap true type typeset ulimit umask unalias unset wait',
  ].flatMap((line) => line.split(' ')),
)
