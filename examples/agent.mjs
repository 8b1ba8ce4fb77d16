// The agent of these examples: no model, only three rules, so that everybody can run them at no cost. It reads its prompt on
// stdin and does, in the order of the text, what these sentences ask for:
//   Create FILE with `text`               (or "with:" and a code block below it)
//   Add `text` to FILE                    as its last line
//   Replace `text` with `other` in FILE
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const FILE = '`?([\\w./-]*\\w)`?'
const TEXT = '`([^`\\n]+)`'
const RULES = [
  { says: `create ${FILE} with ${TEXT}`, does: create },
  { says: `create ${FILE} with:\\s*\\n( *)\`\`\`\\w*\\n([^]*?)\\n\\2\`\`\``, does: createFromBlock },
  { says: `add ${TEXT} to ${FILE}`, does: add },
  { says: `replace ${TEXT} with ${TEXT} in ${FILE}`, does: replace },
]

const prompt = readFileSync(0, 'utf8')
// Below that heading stands what Espalier adds, with the words of other tasks among it.
const [task = ''] = prompt.split('\n## How you work here')

try {
  const done = sentences(task).map(({ does, parts }) => does(...parts))
  if (done.length === 0) throw new Error('there is no sentence in the prompt that this agent understands')
  end('success', [...done, ...promise()].join(', '))
} catch (error) {
  end('failed', error.message)
}

function sentences(text) {
  const found = RULES.flatMap(({ says, does }) =>
    [...text.matchAll(new RegExp(`\\b${says}`, 'gi'))].map(({ index, 1: one, 2: two, 3: three }) => {
      return { index, does, parts: [one, two, three] }
    }),
  )
  return found.sort((a, b) => a.index - b.index)
}

function create(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${text}\n`)
  return `created ${file}`
}

/** In a list a code block is indented as the list is. */
function createFromBlock(file, indent, text) {
  return create(file, text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
}

function add(text, file) {
  if (!existsSync(file)) throw new Error(`there is no ${file} to add to`)
  appendFileSync(file, `${text}\n`)
  return `added to ${file}`
}

function replace(text, other, file) {
  const before = readFileSync(file, 'utf8')
  if (!before.includes(text)) throw new Error(`there is no \`${text}\` in ${file}`)
  writeFileSync(
    file,
    before.replace(text, () => other),
  )
  return `changed ${file}`
}

/** Words that some tasks want to hear before they believe that all is done. */
function promise() {
  const [, words] = /word for word:\n\n {4}(.+)/.exec(prompt) ?? []
  return words === undefined ? [] : [words]
}

function end(status, summary) {
  console.log(JSON.stringify({ type: 'outcome', status, summary }))
}
