import { moveFocus, useKeys } from '../../app/keyboard.ts'

export function useRunKeys(): void {
  useKeys([
    { keys: 'j', what: 'Next run (Enter opens it)', run: () => moveFocus('.runs a', 1), group: 'Runs' },
    { keys: 'k', what: 'Run before', run: () => moveFocus('.runs a', -1), group: 'Runs' },
  ])
}
