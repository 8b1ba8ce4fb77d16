// Two builds of one app: the files that a server serves, and (mode `report`) one page with everything inside, which
// `espalier report --html` puts the data of a run into.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

const here = fileURLToPath(new URL('.', import.meta.url))
const top = fileURLToPath(new URL('..', import.meta.url))

export default defineConfig(({ mode }) => ({
  root: here,
  base: './',
  resolve: { alias: { 'espalier/client': `${top}src/client.ts` } },
  plugins: [browserWidth, mode === 'report' ? singleFile() : sourceList()],
  publicDir: mode === 'report' ? false : 'public',
  worker: { format: 'es' as const, plugins: () => [browserWidth] },
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    emptyOutDir: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_500,
    cssCodeSplit: mode !== 'report',
    rolldownOptions: {
      output: mode === 'report' ? { codeSplitting: false } : {},
      // `use client` means nothing here.
      onLog: (level, log, handle) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : handle(level, log)),
    },
  },
}))

const browserWidth: Plugin = {
  name: 'browser-width',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('/width.ts') ? `${here}src/width.ts` : null),
}

/** What the app was made of, so that a checkout knows when to build it again: see src/reports/built-app.ts. */
function sourceList(): Plugin {
  return {
    name: 'source-list',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      const own = modules
        .map((id) => id.replace(/[?#].*$/, ''))
        .filter((id) => id.startsWith(top) && !id.includes('/node_modules/') && !id.includes('\0'))
      const files = [
        ...new Set([...own, ...['index.html', 'vite.config.ts', 'package-lock.json'].map((name) => here + name)]),
      ]
      const hashes = files.sort().flatMap((file): [string, string][] => {
        const text = readFileSync(file)
        return [[relative(top, file), createHash('sha256').update(text).digest('hex')]]
      })
      const packages = [...new Set(modules.filter((id) => id.includes('/node_modules/')))].sort()
      this.emitFile({ type: 'asset', fileName: 'packages.json', source: JSON.stringify(packages) })
      this.emitFile({
        type: 'asset',
        fileName: 'sources.json',
        source: `${JSON.stringify(Object.fromEntries(hashes), null, 1)}\n`,
      })
    },
  }
}

/** One page: `report.html`. Its policy allows its own script by hash, and nothing else; data comes as text. */
function singleFile(): Plugin {
  return {
    name: 'single-file',
    writeBundle({ dir = '' }, bundle) {
      let [script, style] = ['', '']
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === 'chunk') script += file.code
        else if (name.endsWith('.css')) style += String(file.source)
      }
      const code = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
      const hash = createHash('sha256').update(code).digest('base64')
      const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`
      const page = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">',
        `<title>Espalier</title><style>${style.replaceAll('</style', '<\\/style')}</style></head><body><div id="app"></div>`,
        '<script id="data" type="text/plain"></script>',
        `<script type="module">${code}</script></body></html>\n`,
      ]
      writeFileSync(join(dir, 'report.html'), page.join('\n'))
    },
  }
}
