// `espalier completion`: scripts that complete commands and flags, generated from the declared commands.

import type { Command } from 'commander'
import { type Commands, help } from '../command-line/command.ts'
import { EXIT } from '../exit-status.ts'

export const commands: Commands = {
  completion: (completion, { surroundings, finish, wholeCommandLine }) => {
    completion.registeredArguments[0]?.choices(Object.keys(SCRIPTS))
    completion
      .addHelpText(
        'after',
        help(
          'Made from the commands themselves.',
          '0.',
          'source <(espalier completion bash)    in ~/.bashrc; the same with zsh in ~/.zshrc',
          'espalier completion fish > ~/.config/fish/completions/espalier.fish',
        ),
      )
      .action(async (shell: keyof typeof SCRIPTS) => {
        surroundings.out.write(SCRIPTS[shell](wordsOf(await wholeCommandLine())))
        finish(EXIT.done)
      })
  },
}

const SCRIPTS = { bash, zsh, fish }

/** `path`: words of a command, such as `plan show`; empty for the program itself. */
type Words = { path: string; words: string[]; says: string[] }

function wordsOf(command: Command, path: readonly string[] = []): Words[] {
  const flags = command.options.filter(({ hidden }) => !hidden)
  const names = [...command.commands.map((one) => one.name()), ...flags.map(({ long, short }) => long ?? short ?? '')]
  const says = [...command.commands.map((one) => one.description()), ...flags.map(({ description }) => description)]
  const mine = { path: path.join(' '), words: names.filter((word) => word !== ''), says }
  return [mine, ...command.commands.flatMap((one) => wordsOf(one, [...path, one.name()]))]
}

/** Completes file names if no word matches. */
function bash(all: readonly Words[]): string {
  return `${lookUp(all)}
_espalier() {
  local path= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) _espalier_words "\${path:+$path }$word" >/dev/null && path="\${path:+$path }$word" ;; esac
  done
  COMPREPLY=($(compgen -W "$(_espalier_words "$path")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _espalier espalier
`
}

function zsh(all: readonly Words[]): string {
  return `#compdef espalier
${lookUp(all)}
_espalier() {
  local path_= word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$word" in -*) ;; *) _espalier_words "\${path_:+$path_ }$word" >/dev/null && path_="\${path_:+$path_ }$word" ;; esac
  done
  compadd -- $(_espalier_words "$path_")
  _files
}
compdef _espalier espalier
`
}

function lookUp(all: readonly Words[]): string {
  const cases = all.map(({ path, words }) => `    '${path}') echo '${words.join(' ')}' ;;`)
  return `_espalier_words() {\n  case "$1" in\n${cases.join('\n')}\n    *) return 1 ;;\n  esac\n}`
}

function fish(all: readonly Words[]): string {
  const lines = all.flatMap(({ path, words, says }) => {
    const seen = fishCondition(path, all)
    return words.map((word, index) => {
      const what = word.startsWith('--')
        ? `-l ${word.slice(2)}`
        : word.startsWith('-')
          ? `-s ${word.slice(1)}`
          : `-a ${word}`
      return `complete -c espalier -n '${seen}' ${what} -d '${(says[index] ?? '').replaceAll(/[\\']/g, '')}'`
    })
  })
  return `${lines.join('\n')}\n`
}

/** Tells `plan show` from `show`. */
function fishCondition(path: string, all: readonly Words[]): string {
  const names = path.split(' ')
  if (path === '') return '__fish_use_subcommand'
  if (names.length > 1) return names.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ')
  const groups = all.map((one) => one.path.split(' ')).filter((one) => one.length > 1)
  const others = groups.flatMap(([group = '', name = '']) => (group === path ? [name] : name === path ? [group] : []))
  const besides = others.length === 0 ? '' : `; and not __fish_seen_subcommand_from ${[...new Set(others)].join(' ')}`
  return `__fish_seen_subcommand_from ${path}${besides}`
}
