import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

/** The tokens of a colour scheme by name. */
const tokensOf = (scheme: string): Map<string, string> => {
  const block = css.slice(css.indexOf(`[data-mantine-color-scheme="${scheme}"] {`))
  return new Map(
    [...block.slice(0, block.indexOf('}')).matchAll(/(--p-[\w-]+): (#[0-9a-f]{6});/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  )
}

/** WCAG 2.2, relative luminance. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(tokens: ReadonlyMap<string, string>, a: string, b: string): number {
  const [light = 0, dark = 0] = [a, b].map((name) => luminance(tokens.get(name) ?? '')).sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

test.each(['light', 'dark'])(
  'cards stand out from the canvas, and blocks from their card, in the %s scheme',
  (scheme) => {
    const tokens = tokensOf(scheme)
    expect(contrast(tokens, '--p-card', '--p-canvas')).toBeGreaterThan(1.12)
    expect(contrast(tokens, '--p-card-block', '--p-card')).toBeGreaterThan(1.04)
    expect(contrast(tokens, '--p-text', '--p-card-block')).toBeGreaterThan(7)
    expect(contrast(tokens, '--p-text-faint', '--p-card-block')).toBeGreaterThan(4.5)
  },
)
test('in the dark, where a shadow shows nothing, an edge of its own marks a card', () => {
  expect(contrast(tokensOf('dark'), '--p-card-edge', '--p-canvas')).toBeGreaterThan(1.7)
})
