// The look of the HTML report: one palette for light, one for dark, and the rules that use them.

/** By light and by dark. `on` is for text and signs upon the six tones; `ink`, `soft` and the tones for text upon `bg` and `panel`. */
const COLOURS = {
  bg: ['#f6f5f0', '#101412'],
  panel: ['#ffffff', '#181d1a'],
  sunk: ['#f1f0ea', '#121714'],
  line: ['#dedcd2', '#2d3531'],
  ink: ['#1b231f', '#e9eee9'],
  soft: ['#59635d', '#a0aba4'],
  on: ['#ffffff', '#0e1310'],
  good: ['#21744a', '#67c78f'],
  calm: ['#0e6f80', '#62c6d4'],
  bad: ['#b3271e', '#ff8b80'],
  warn: ['#8f5600', '#ecb454'],
  live: ['#1f5fb8', '#86b6ff'],
  mute: ['#5d6762', '#98a49d'],
} as const

export type Palette = Record<keyof typeof COLOURS, string>

export const [LIGHT, DARK] = [paletteOf(0), paletteOf(1)]

function paletteOf(shade: 0 | 1): Palette {
  return Object.fromEntries(Object.entries(COLOURS).map(([name, shades]) => [name, shades[shade]])) as Palette
}

export function style(): string {
  const tones = ['good', 'calm', 'bad', 'warn', 'live', 'mute'].map(
    (tone) => `.${tone}{--tone:var(--${tone});color:var(--tone)}`,
  )
  const dark = `@media screen and (prefers-color-scheme:dark){:root{${variables(DARK)}}}`
  return `:root{color-scheme:light dark;${variables(LIGHT)}}${dark}${RULES.trim()}${tones.join('')}${NARROW.trim()}${PRINT.trim()}`
}

function variables(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';')
}

const RULES = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;font-variant-numeric:tabular-nums}
main,header .in,footer{max-width:1280px;margin:0 auto;padding:0 28px}
h1,h2,p,dl,dd,ul{margin:0;padding:0}
h1{font-size:2.05rem;line-height:1.15;letter-spacing:-.022em;font-weight:680;text-wrap:balance}
h2{font-size:1.12rem;letter-spacing:-.01em;font-weight:650;margin:0 0 .2rem}
code,pre,.m{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.87em}
a{color:inherit;text-decoration-color:var(--line);text-underline-offset:3px}
a:hover{text-decoration-color:currentColor}
:focus-visible{outline:2px solid var(--live);outline-offset:2px;border-radius:4px}
.soft{color:var(--soft)}
h1,td,pre,summary{unicode-bidi:isolate}
header{background:var(--panel);border-bottom:1px solid var(--line);border-top:5px solid var(--tone,var(--good))}
header .in{padding-top:26px;padding-bottom:26px;color:var(--ink)}
header p{margin-top:5px}
.figures{display:flex;flex-wrap:wrap;gap:1px;background:var(--line);border:1px solid var(--line);border-radius:12px;overflow:hidden;margin-top:24px}
.figures div{flex:1 1 162px;background:var(--panel);padding:13px 16px 14px}
.figures dt{color:var(--soft);font-size:.8rem}
.figures dd{font-size:1.32rem;white-space:nowrap;font-weight:640;letter-spacing:-.02em;line-height:1.3}
.figures small{display:block;white-space:normal;color:var(--soft);font-size:.79rem;font-weight:400;letter-spacing:0;line-height:1.4}
section{background:var(--panel);border:1px solid var(--line);border-radius:14px;padding:20px 22px 22px;margin:22px 0}
section>p.soft{font-size:.87rem;margin-bottom:14px}
details{border-top:1px solid var(--line);padding:8px 0}
summary{cursor:pointer;font-weight:600;overflow-wrap:anywhere}
.paths{margin-top:5px;overflow-wrap:anywhere;color:var(--soft)}
ul.paths{padding-left:1.2em}
pre{background:var(--sunk);border:1px solid var(--line);border-radius:9px;padding:11px 13px;margin:9px 0 0;overflow:auto;max-height:26em;line-height:1.5;white-space:pre;tab-size:4;direction:ltr}
.scroll{overflow-x:auto;overflow-y:hidden;margin:0 -22px -8px;padding:4px 22px 8px}
.tl{display:flex;min-width:680px}
.tl .names{flex:none;width:124px;padding-right:12px;font-size:.8rem;color:var(--soft)}
.tl .names div{display:flex;justify-content:space-between;align-items:center;gap:8px;overflow:hidden;white-space:nowrap}
.tl .names b{font-weight:560;color:var(--ink)}
.tl .plot{flex:1;min-width:0}
.tl svg{display:block;width:100%;overflow:visible}
.tl .grid{stroke:var(--line)}
.tl .lane{fill:var(--sunk)}
.tl text{font-size:11px;fill:var(--soft)}
.tl .b{fill:var(--tone)}
.tl .bl{fill:var(--on);font-size:11.5px;font-weight:560}
.tl g:hover>.b{filter:brightness(1.12)}
table{border-collapse:collapse;width:100%;font-size:.87rem}
th,td{text-align:left;vertical-align:top;padding:5px 14px 5px 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
th{font-weight:500;color:var(--soft);white-space:nowrap;overflow-wrap:normal}
tbody tr:last-child>*{border-bottom:0}
td.nw{white-space:nowrap}
td.long{min-width:15em}
.note{background:var(--sunk);border-radius:9px;padding:9px 13px;font-size:.87rem;color:var(--soft);margin-top:12px}
footer{padding-top:2px;padding-bottom:44px;color:var(--soft);font-size:.84rem}
`

const NARROW = `
@media (max-width:760px){
main,header .in,footer{padding-left:16px;padding-right:16px}
h1{font-size:1.55rem}
section{padding:16px 16px 18px;border-radius:12px;margin:16px 0}
.scroll{margin:0 -16px -8px;padding:4px 16px 8px}
.figures div{flex-basis:140px;padding:11px 12px}
.figures dd{font-size:1.2rem}
.tl .names{width:120px}
}
`

const PRINT = `
@media print{
body{background:#fff;font-size:11px}
header{border-bottom:0}
section{border:0;padding:0;margin:18px 0;break-inside:auto}
tr{break-inside:avoid}
.scroll{overflow:visible;margin:0;padding:0}
.tl{min-width:0}
pre{max-height:none;white-space:pre-wrap;overflow-wrap:anywhere}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
h2{break-after:avoid}
}
`
