import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DARK, LIGHT, type Palette } from '../../../src/reports/html/style.ts'

test('text has a contrast of at least 4.5 to 1 in light and dark', () => {
  for (const palette of [LIGHT, DARK]) {
    const tones: (keyof Palette)[] = ['good', 'calm', 'bad', 'warn', 'live', 'mute']
    for (const text of ['ink', 'soft', ...tones] as const) {
      for (const ground of ['bg', 'panel', 'sunk'] as const) check(palette, text, ground)
    }
    for (const tone of tones) check(palette, 'on', tone)
  }
})

function check(palette: Palette, text: keyof Palette, ground: keyof Palette): void {
  const [light, dark] = [luminance(palette[text]), luminance(palette[ground])].sort((a, b) => b - a)
  const contrast = ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
  assert.ok(contrast >= 4.5, `${text} on ${ground}: ${contrast.toFixed(2)}`)
}

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0)
}
