/** Colours as editors write them (SPEC.md 3: rgba, hex, hex8), and what can be read on them (WCAG 2.2, 1.4.3). */

/** Red, green and blue from 0 to 255, opacity from 0 to 1. */
export interface Colour {
  r: number
  g: number
  b: number
  a: number
}

/** Contrast that text needs, and that the parts of a control need. */
export const TEXT_CONTRAST = 4.5

const HEX = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})?$/i
const RGBA = /^rgba?\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*(?:,\s*(0|1|1\.0+|0?\.\d{1,6})\s*)?\)$/i
const LONGEST = 40

/** @returns the colour that a text names; null if it names none */
export function parseColour(text: string): Colour | null {
  if (text.length > LONGEST) return null
  const hex = HEX.exec(text.trim())
  if (hex) {
    const [r = 0, g = 0, b = 0] = hex.slice(1, 4).map((part) => Number.parseInt(part, 16))
    return { r, g, b, a: hex[4] === undefined ? 1 : Number.parseInt(hex[4], 16) / 255 }
  }
  const rgba = RGBA.exec(text.trim())
  if (!rgba) return null
  const [r = 0, g = 0, b = 0] = rgba.slice(1, 4).map(Number)
  return Math.max(r, g, b) > 255 ? null : { r, g, b, a: rgba[4] === undefined ? 1 : Number(rgba[4]) }
}

/** `#rrggbb`, or `#rrggbbaa` where it is not opaque. */
export function hexOf({ r, g, b, a }: Colour): string {
  const parts = a < 1 ? [r, g, b, a * 255] : [r, g, b]
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

/** What is seen of a colour that lies over an opaque one. */
export const over = (top: Colour, below: Colour): Colour => mix(below, { ...top, a: 1 }, top.a)

/** A colour between two opaque ones, as a screen has it; `share` is the second's, from 0 to 1. */
export const mix = (from: Colour, to: Colour, share: number): Colour => ({
  r: Math.round(from.r + (to.r - from.r) * share),
  g: Math.round(from.g + (to.g - from.g) * share),
  b: Math.round(from.b + (to.b - from.b) * share),
  a: 1,
})

/** WCAG 2.2, relative luminance of an opaque colour: 0 is black, 1 is white. */
export function luminance({ r, g, b }: Colour): number {
  const linear = (part: number) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

/** WCAG 2.2, contrast of two opaque colours: 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

const WHITE: Colour = { r: 255, g: 255, b: 255, a: 1 }
const BLACK: Colour = { r: 0, g: 0, b: 0, a: 1 }
const INKS: readonly Colour[] = [WHITE, { r: 22, g: 23, b: 22, a: 1 }, BLACK]

/** White, or a black, in which text can be read on an opaque colour: one of them always reaches 4.5. */
export const inkOn = (ground: Colour): Colour =>
  INKS.find((ink) => contrast(ink, ground) >= TEXT_CONTRAST) ??
  (contrast(WHITE, ground) > contrast(BLACK, ground) ? WHITE : BLACK)

/**
 * A colour, changed as little as is needed to be read on another: made lighter or darker until the contrast is there.
 * @returns the colour itself where it can be read
 */
export function readableOn(colour: Colour, ground: Colour, ratio = TEXT_CONTRAST): Colour {
  if (contrast(colour, ground) >= ratio) return colour
  const end = contrast(WHITE, ground) > contrast(BLACK, ground) ? WHITE : BLACK
  const at = (share: number) => mix(colour, end, share)
  let [least, most] = [0, 1]
  for (let step = 0; step < 12; step++) {
    const middle = (least + most) / 2
    if (contrast(at(middle), ground) >= ratio) most = middle
    else least = middle
  }
  return at(most)
}
