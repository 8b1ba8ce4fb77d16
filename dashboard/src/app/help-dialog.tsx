// `?`: the keys that work where one is.
import { Dialog } from '../parts/dialog.tsx'
import { useActiveKeys } from './keyboard.ts'

export function HelpDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const keys = useActiveKeys()
  const groups = Map.groupBy(keys, ({ group }) => group ?? 'Here')
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose}>
      {[...groups].toReversed().map(([group, list]) => (
        <section key={group} className="keys">
          <h3>{group}</h3>
          <dl>
            {list.map(({ keys, what }) => (
              <div key={keys}>
                <dt>
                  {keys.split(' ').map((key) => (
                    <kbd key={key}>{NAMES[key] ?? key}</kbd>
                  ))}
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}

const NAMES: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' }
