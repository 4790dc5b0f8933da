import { expect, test } from 'vitest'
import { colorOf } from './names'

test('white letters are readable on the colour of every visitor (WCAG 2.2, 1.4.3)', () => {
  const colors = new Set(Array.from({ length: 20_000 }, (_, at) => colorOf(at.toString(36))))
  expect(colors.size).toBe(360)
  for (const color of colors) expect(contrastOfWhiteOn(color), color).toBeGreaterThan(4.5)
})

/** The contrast of white on an oklch colour, clipped to sRGB (CSS Color 4, 10.3; WCAG 2.2, contrast ratio). */
function contrastOfWhiteOn(color: string): number {
  const [lightness = 0, chroma = 0, hue = 0] = color.match(/[\d.]+/g)?.map(Number) ?? []
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const shown = (light: number) => Math.min(1, Math.max(0, light))
  const red = shown(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short)
  const green = shown(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short)
  const blue = shown(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short)
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}
