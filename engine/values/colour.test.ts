import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type Colour, contrast, hexOf, inkOn, over, parseColour, readableOn } from './colour'

const colour = (text: string): Colour => {
  const parsed = parseColour(text)
  if (!parsed) throw new Error(`${text} is a colour`)
  return parsed
}
const channel = fc.integer({ min: 0, max: 255 })
const opaque = fc.record({ r: channel, g: channel, b: channel, a: fc.constant(1) })

test.each([
  ['#1f6feb', { r: 31, g: 111, b: 235, a: 1 }],
  [' #1F6FEB80 ', { r: 31, g: 111, b: 235, a: 128 / 255 }],
  ['rgba(31, 111, 235, 0.9)', { r: 31, g: 111, b: 235, a: 0.9 }],
  ['rgba(0,0,0,.5)', { r: 0, g: 0, b: 0, a: 0.5 }],
  ['rgb(1, 2, 3)', { r: 1, g: 2, b: 3, a: 1 }],
])('%s is a colour', (text, expected) => expect(parseColour(text)).toEqual(expected))

test.each(['', 'red', '#12345', '#ggg000', 'rgba(256, 0, 0, 1)', 'rgba(0, 0, 0, 2)', 'url(#1f6feb)', '#1f6feb;x:y'])(
  '%j is none',
  (text) => expect(parseColour(text)).toBeNull(),
)

test('what is written is read as the same colour', () => {
  fc.assert(
    fc.property(opaque, (one) => {
      expect(parseColour(hexOf(one))).toEqual(one)
    }),
  )
})

describe('contrast', () => {
  // the figures of WCAG 2.2, and of its techniques G17 and G18
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#767676', '#ffffff', 4.54],
    ['#949494', '#ffffff', 3.03],
    ['#0f766e', '#ffffff', 5.47],
  ])('of %s on %s is %d', (one, other, expected) => {
    expect(contrast(colour(one), colour(other))).toBeCloseTo(expected, 2)
    expect(contrast(colour(other), colour(one))).toBeCloseTo(expected, 2)
  })

  it('is enough for text of the ink on whatever colour, and of what was made readable', () => {
    fc.assert(
      fc.property(opaque, opaque, (one, ground) => {
        expect(contrast(inkOn(ground), ground)).toBeGreaterThanOrEqual(4.5)
        expect(contrast(readableOn(one, ground), ground)).toBeGreaterThanOrEqual(4.5)
      }),
    )
  })

  it('leaves a colour alone that can be read, and changes another as little as is needed', () => {
    const white = colour('#ffffff')
    expect(readableOn(colour('#0f766e'), white)).toEqual(colour('#0f766e'))
    const changed = readableOn(colour('#2bb5a6'), white)
    expect(contrast(changed, white)).toBeLessThan(4.7)
  })
})

test('what lies over another colour is seen with it', () => {
  expect(hexOf(over(colour('rgba(0, 0, 0, 0.5)'), colour('#ffffff')))).toBe('#808080')
})
