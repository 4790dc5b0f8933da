import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type Colour, contrast, parseColour } from '../../../engine/values/colour'
import { defaultLook, lookSchema } from '../../../server/contracts/web/look'
import { lookStyle } from './lookStyle'

const channel = fc.integer({ min: 0, max: 255 })
const rgba = fc.tuple(
  channel,
  channel,
  channel,
  fc.integer({ min: 0, max: 100 }).map((n) => n / 100),
)
const colour = fc.oneof(
  rgba.map(([r, g, b, a]) => `rgba(${r}, ${g}, ${b}, ${a})`),
  rgba.map(([r, g, b]) => `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`),
)
const colours = fc.record({ accent: colour, background: colour, text: colour, bot: colour, visitor: colour })
const named = (style: Record<string, string>, name: string): Colour => {
  const parsed = parseColour(style[`--${name}`] ?? '')
  if (!parsed) throw new Error(`${name} is ${style[`--${name}`]}`)
  return parsed
}

describe('whatever colours are chosen', () => {
  it('words on buttons, bubbles and links can be read, and what comes of them is a plain hex', () => {
    fc.assert(
      fc.property(colours, fc.constantFrom('light' as const, 'dark' as const), (chosen, scheme) => {
        const look = { ...defaultLook, colours: { scheme, light: chosen, dark: chosen } }
        const style = lookStyle(look, scheme)
        for (const [ink, ground] of [
          ['on-accent', 'accent'],
          ['on-accent', 'accent-hover'],
          ['on-visitor', 'visitor'],
          ['on-bot', 'bot'],
          ['muted', 'bg'],
          ['accent-text', 'bg'],
          ['danger', 'bg'],
        ] as const)
          expect(contrast(named(style, ink), named(style, ground)), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5)
        for (const [name, value] of Object.entries(style))
          if (parseColour(value)) expect(value, name).toMatch(/^#[0-9a-f]{6}$/)
      }),
    )
  })
})

describe('a look that was checked', () => {
  const nasty = fc.constantFrom(
    ...'url(//evil.example/x),expression(alert(1)),var(--x),env(x),image-set(x),element(#a),attr(x),1px;color:red,}a{b:c'.split(
      /,(?=[a-z1}])/,
    ),
    '\\75rl(x)',
    'url (x)',
    '/**/url(x)',
    '"x"',
    '<img>',
    '@import',
    'URL(x)',
    '-moz-element(#a)',
  )
  const pieces = fc.array(
    fc.oneof(nasty, fc.string({ maxLength: 12 }), fc.constantFrom('10px', '#fff', 'calc(', ')', ' ')),
    {
      maxLength: 5,
    },
  )
  /** What a value of CSS may not hold: what loads, runs, leads elsewhere or ends a declaration. */
  const UNSAFE = /[;{}\\<>"'@/!:]|(?<![a-z-])(?!rgba?|hsla?|oklch|oklab|calc|min|max|clamp)[a-z-]+\s*\(/i

  it('never has a variable that loads, runs or ends its declaration', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const value = parts.join('')
        const parsed = lookSchema.safeParse({ variables: { '--chat-header': value } })
        if (!parsed.success) return
        const style = lookStyle(parsed.data, 'light')
        expect(style['--chat-header']).not.toMatch(UNSAFE)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    '#fff',
    'rgba(0, 0, 0, 0.5)',
    'hsl(210 40% 50%)',
    '12px',
    'calc(100% - 12px)',
    'min(90%, 720px)',
    'inherit',
  ])('may have %s', (value) => {
    expect(lookSchema.parse({ variables: { '--chat-header': value } }).variables).toEqual({ '--chat-header': value })
  })
  it.each(['url(x)', 'var(--p)', 'URL(x)', 'image-set(x)', 'a;b', 'x url(y)', '(url(z))', 'expression(1)'])(
    'may not have %s',
    (value) => {
      expect(lookSchema.safeParse({ variables: { '--chat-header': value } }).success).toBe(false)
    },
  )
})

test('a dark background is drawn as one, whichever scheme it stands in', () => {
  const night = { ...defaultLook.colours.light, background: '#101010', text: '#f0f0f0' }
  const look = { ...defaultLook, colours: { ...defaultLook.colours, light: night } }
  expect(lookStyle(look, 'light')['color-scheme']).toBe('dark')
  expect(lookStyle(defaultLook, 'light')['color-scheme']).toBe('light')
})
