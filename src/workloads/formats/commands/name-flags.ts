// Flags behind which is the name of a test, which may be any word: `pytest -k exists`, `npm test -- -t returns`.

export function isNameFlag(word = ''): boolean {
  return /^(?:-[kt]|-run|--(?:grep|filter|tests|testNamePattern|test-name-pattern))$/.test(word)
}
