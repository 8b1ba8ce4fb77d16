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
h1,h2,h3,p,dl,dd,ol,ul{margin:0;padding:0}
h1{font-size:2.05rem;line-height:1.15;letter-spacing:-.022em;font-weight:680;text-wrap:balance}
h2{font-size:1.12rem;letter-spacing:-.01em;font-weight:650;margin:0 0 .2rem}
code,pre,.m{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.87em}
a{color:inherit;text-decoration-color:var(--line);text-underline-offset:3px}
a:hover{text-decoration-color:currentColor}
:focus-visible{outline:2px solid var(--live);outline-offset:2px;border-radius:4px}
.sprite{position:absolute}
.sign{flex:none;vertical-align:-3px}
.soft{color:var(--soft)}
bdi,td,pre,.ti,.msg{unicode-bidi:isolate}
header{background:var(--panel);border-bottom:1px solid var(--line);border-top:5px solid var(--tone,var(--good))}
header .in{padding-top:26px;padding-bottom:26px;color:var(--ink)}
.crumb{display:flex;flex-wrap:wrap;gap:2px 14px;color:var(--soft);font-size:.87rem;margin-bottom:16px}
.crumb b{color:var(--ink);font-weight:650}
.verdict{display:flex;gap:16px;align-items:flex-start}
.verdict>svg{width:38px;height:38px;margin-top:1px;flex:none}
.verdict p{color:var(--soft);margin-top:5px}
.share{display:flex;height:10px;gap:2px;margin:22px 0 8px;border-radius:5px;overflow:hidden}
.share i{background:var(--tone);min-width:4px}
.share .blocked,.k .blocked,.share .pending,.share .ready{opacity:.55}
.legend{display:flex;flex-wrap:wrap;gap:4px 18px;font-size:.85rem;color:var(--soft);list-style:none}
.legend li{display:flex;gap:6px;align-items:center}
.legend b{color:var(--ink);font-weight:620}
.figures{display:flex;flex-wrap:wrap;gap:1px;background:var(--line);border:1px solid var(--line);border-radius:12px;overflow:hidden;margin-top:24px}
.figures div{flex:1 1 162px;background:var(--panel);padding:13px 16px 14px}
.figures dt{color:var(--soft);font-size:.8rem}
.figures dd{font-size:1.32rem;white-space:nowrap;font-weight:640;letter-spacing:-.02em;line-height:1.3}
.figures small{display:block;white-space:normal;color:var(--soft);font-size:.79rem;font-weight:400;letter-spacing:0;line-height:1.4}
section{background:var(--panel);border:1px solid var(--line);border-radius:14px;padding:20px 22px 22px;margin:22px 0}
section>p.soft{font-size:.87rem;margin-bottom:14px}
.fail{border:1px solid var(--line);border-left:4px solid var(--bad);border-radius:10px;padding:13px 16px;margin-top:12px}
.fail h3{font-size:1rem;font-weight:630;display:flex;flex-wrap:wrap;gap:2px 9px;align-items:baseline}
.fail h3 .sign{align-self:center}
.fail h3 .soft{font-weight:400}
.msg{white-space:pre-wrap;overflow-wrap:anywhere;margin-top:5px}
.tag{font-size:.79rem;border:1px solid currentColor;border-radius:99px;padding:0 9px;white-space:nowrap}
.paths{margin-top:5px;overflow-wrap:anywhere;color:var(--soft)}
ul.paths{padding-left:1.2em}
pre{background:var(--sunk);border:1px solid var(--line);border-radius:9px;padding:11px 13px;margin:9px 0 0;overflow:auto;max-height:26em;line-height:1.5;white-space:pre;tab-size:4;direction:ltr}
.scroll{overflow-x:auto;overflow-y:hidden;margin:0 -22px -8px;padding:4px 22px 8px}
.scroll.tall{overflow-y:auto;max-height:max(420px,80vh)}
.scroll+.legend{margin-top:14px}
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
.tl .b.live{fill:none;stroke:var(--live);stroke-width:1.5;stroke-dasharray:4 3}
.tl .bl{fill:var(--on);font-size:11.5px;font-weight:560}
.tl .bl.live{fill:var(--live)}
.tl g:hover>.b,.tl svg:hover>.b{filter:brightness(1.12)}
.tl .gap{fill:var(--bg)}
.tl .tick{stroke:var(--good);stroke-width:2}
.tl .tick.many{stroke-width:4}
.gr{display:block}
.gr .e{fill:none;stroke:var(--soft);stroke-opacity:.5;stroke-width:1.25}
.gr .e.after{stroke-dasharray:3 4}
.gr .e.hot{stroke:var(--ink);stroke-opacity:.9;stroke-width:2.5}
.gr .j{fill:var(--soft)}
.gr .n{fill:var(--panel);stroke:var(--tone);stroke-width:1.25}
.gr .w{fill:var(--tone);opacity:.09}
.gr .open .n{stroke-dasharray:4 3}
.gr .hot .n{stroke-width:2.75}
.gr a:hover .w{opacity:.2}
.gr text{fill:var(--ink);font-size:12.5px;font-weight:580}
.gr .t2{fill:var(--soft);font-size:11px;font-weight:400}
.gr a{text-decoration:none}
.tools{display:flex;flex-wrap:wrap;gap:8px;margin:4px 0 12px}
.tools[hidden]{display:none}
.tools input,.tools select,.tools button{font:inherit;font-size:.87rem;color:var(--ink);background:var(--bg);border:1px solid var(--line);border-radius:8px;padding:5px 10px}
.tools input{flex:1 1 180px;max-width:340px}
.list{border-top:1px solid var(--line)}
.k{border-bottom:1px solid var(--line)}
.many .k:not([open]){content-visibility:auto;contain-intrinsic-size:auto 40px}
.k>summary,.k>.r{display:grid;grid-template-columns:96px minmax(0,1fr) 84px 92px 118px 84px 14px;gap:12px;align-items:center;padding:8px 4px;list-style:none}
.k>summary{cursor:pointer}
.k>summary::-webkit-details-marker{display:none}
.k>summary::after{content:"";width:7px;height:7px;border:solid var(--soft);border-width:0 1.5px 1.5px 0;transform:rotate(45deg);align-self:center;margin-top:-4px}
.k[open]>summary::after{transform:rotate(-135deg);margin-top:4px}
.k>summary:hover{background:var(--sunk)}
.k:target>summary,.k:target>.r{box-shadow:inset 3px 0 var(--live)}
.k .st{display:flex;gap:6px;font-size:.87rem}
.k .st .sign{margin-top:2px}
.k .ti{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.k .ti b{font-weight:600}
.k[open] .ti{white-space:normal;overflow-wrap:anywhere}
.k .ti .m{margin-right:9px}
.k .nu{text-align:right;font-size:.87rem;color:var(--soft);white-space:nowrap}
.head{display:grid;grid-template-columns:96px minmax(0,1fr) 84px 92px 118px 84px 14px;gap:12px;padding:0 4px 6px;font-size:.79rem;color:var(--soft)}
.head .nu{text-align:right}
.plus{color:var(--good)}.minus{color:var(--bad)}
.more{padding:2px 4px 18px 112px}
.sn>summary{cursor:pointer;padding:5px 4px}
.sn .more{padding-left:20px}
.more dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:3px 16px;font-size:.9rem;margin-bottom:10px}
.more dt{color:var(--soft)}
.more dd{overflow-wrap:anywhere}
.more .wide{overflow-x:auto}
.more h3{font-size:.85rem;font-weight:620;margin:14px 0 0}
table{border-collapse:collapse;width:100%;font-size:.87rem}
th,td{text-align:left;vertical-align:top;padding:5px 14px 5px 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
th{font-weight:500;color:var(--soft);white-space:nowrap;overflow-wrap:normal}
tbody tr:last-child>*{border-bottom:0}
td.nw{white-space:nowrap}
td.long{min-width:15em}
td.said{min-width:15em;padding-right:0}
.note{background:var(--sunk);border-radius:9px;padding:9px 13px;font-size:.87rem;color:var(--soft);margin-top:12px}
footer{padding-top:2px;padding-bottom:44px;color:var(--soft);font-size:.84rem}
footer p{overflow-wrap:anywhere}
`

const NARROW = `
@media (max-width:760px){
main,header .in,footer{padding-left:16px;padding-right:16px}
h1{font-size:1.55rem}
.verdict{gap:12px}.verdict>svg{width:29px;height:29px}
section{padding:16px 16px 18px;border-radius:12px;margin:16px 0}
.scroll{margin:0 -16px -8px;padding:4px 16px 8px}
.figures div{flex-basis:140px;padding:11px 12px}
.figures dd{font-size:1.2rem}
.head{display:none}
.k>summary,.k>.r{grid-template-columns:minmax(0,1fr) max-content 14px;gap:2px 10px}
.k .st{grid-column:1;grid-row:1}.k .du{grid-column:2;grid-row:1}
.k .ti{grid-column:1/3;grid-row:2}
.k .at,.k .di,.k .co{display:none}
.k>summary::after{grid-column:3;grid-row:1}
.more{padding-left:4px}
.tl .names{width:120px}
}
`

const PRINT = `
@media print{
body{background:#fff;font-size:11px}
header{border-bottom:0}
section{border:0;padding:0;margin:18px 0;break-inside:auto}
.many .k:not([open]){content-visibility:visible}
.k>summary,tr{break-inside:avoid}
.scroll,.scroll.tall{overflow:visible;margin:0;padding:0;max-height:none}
.tl{min-width:0}
.gr{max-width:100%;height:auto}
pre{max-height:none;white-space:pre-wrap;overflow-wrap:anywhere}
.tools,.k>summary::after{display:none}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
h2,h3{break-after:avoid}
}
`
