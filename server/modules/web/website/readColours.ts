import { type Colour, hexOf, luminance, parseColour } from '../../../../engine/values/colour'

export interface SiteColours {
  accent: string | null
  background: string | null
  text: string | null
}

/** Most of a declaration's value that is read. */
const VALUE = 200
/** Most declarations that are looked at. */
const DECLARATIONS = 50_000
const COLOUR =
  /#[0-9a-f]{3,8}\b|rgba?\([^()]{1,60}\)|hsla?\([^()]{1,60}\)|var\(\s{0,4}(--[\w-]{1,80})|\b(?:white|black)\b/gi
const PAGE = /(?:^|[\s,}])(?:html|body|:root)(?=$|[\s,:.[])/i
const BUTTON = /btn|button|cta|primary|\[type=["']?submit/i
const LINK = /(?:^|[\s,>+~])a(?=$|[\s,:.[{])/i
const BRAND = /brand|primary|accent|theme|main-colou?r|link-colou?r/i

/**
 * The colours that style sheets use: the page's background and text, and the colour that buttons, links and variables
 * for it have, or else the one that is used most. Takes time by the length of the sheets.
 * @param sheets as they come, also cut off or wrong
 * @param named colours that the site itself names as its own, such as `theme-color`
 */
export function readColours(sheets: readonly string[], named: readonly string[]): SiteColours {
  const variables = new Map<string, string>()
  const scores = new Map<string, number>()
  let background: string | null = null
  let text: string | null = null
  let left = DECLARATIONS
  const waiting: { value: string; weight: number; part: 'background' | 'text' | null }[] = []

  for (const sheet of sheets) {
    for (const { selector, declarations } of rulesOf(sheet)) {
      for (const declaration of declarations.split(';')) {
        if (left-- <= 0) break
        const colon = declaration.indexOf(':')
        if (colon < 0 || colon > 200) continue
        const property = declaration.slice(0, colon).trim().toLowerCase()
        const value = declaration.slice(colon + 1, colon + 1 + VALUE).trim()
        if (property.startsWith('--')) {
          if (!variables.has(property)) variables.set(property, value)
          if (BRAND.test(property)) waiting.push({ value, weight: 12, part: null })
        } else if (/^(?:color|background|background-color|border-color|fill)$/.test(property)) {
          const isPage = PAGE.test(selector) && selector.length < 60
          const part = !isPage
            ? null
            : property === 'color'
              ? 'text'
              : property.startsWith('background')
                ? 'background'
                : null
          const weight = BUTTON.test(selector) ? 5 : LINK.test(selector) ? 3 : 1
          waiting.push({ value, weight, part })
        }
      }
    }
  }
  for (const { value, weight, part } of waiting) {
    const colour = colourIn(value, variables)
    if (!colour || colour.a < 0.5) continue
    const hex = hexOf({ ...colour, a: 1 })
    if (part === 'background') background = hex
    if (part === 'text') text = hex
    if (isAccent(colour)) scores.set(hex, (scores.get(hex) ?? 0) + weight)
  }
  for (const name of named) {
    const colour = colourIn(name, variables)
    if (colour && isAccent(colour))
      scores.set(hexOf({ ...colour, a: 1 }), (scores.get(hexOf({ ...colour, a: 1 })) ?? 0) + 25)
  }
  const [accent] = [...scores].sort((one, other) => other[1] - one[1])[0] ?? [null]
  return { accent, background, text }
}

/** Each block with what stands before it. Blocks in blocks (`@media`) are taken with their inner selector. */
function* rulesOf(css: string): Generator<{ selector: string; declarations: string }> {
  const edge = /[{}]/g
  let from = 0
  let selector: string | null = null
  for (let found = edge.exec(css); found; found = edge.exec(css)) {
    const between = css.slice(from, found.index)
    if (found[0] === '}' && selector !== null) yield { selector, declarations: between }
    selector = found[0] === '{' ? between.slice(-300).trim() : null
    from = found.index + 1
  }
}

const DEEPEST = 5
/** The first colour that a value has. */
function colourIn(value: string, variables: ReadonlyMap<string, string>, depth = 0): Colour | null {
  for (const [written, variable] of value.matchAll(COLOUR)) {
    if (variable !== undefined) {
      const known = variables.get(variable.toLowerCase())
      const colour = known !== undefined && depth < DEEPEST ? colourIn(known, variables, depth + 1) : null
      if (colour) return colour
    } else {
      const colour = parseCss(written.toLowerCase())
      if (colour) return colour
    }
  }
  return null
}

/** The ways of CSS to write a colour that sites use. */
function parseCss(text: string): Colour | null {
  if (text === 'white') return { r: 255, g: 255, b: 255, a: 1 }
  if (text === 'black') return { r: 0, g: 0, b: 0, a: 1 }
  if (/^#[0-9a-f]{3,4}$/.test(text)) return parseColour(text.replace(/[0-9a-f]/g, '$&$&'))
  if (text.startsWith('#')) return parseColour(text)
  const numbers = [...text.matchAll(/(\d{1,4}(?:\.\d{1,6})?|\.\d{1,6})(%?)/g)].map(([, figure, percent]) => ({
    figure: Number(figure),
    percent: percent === '%',
  }))
  const [one, two, three, alpha] = numbers
  if (!one || !two || !three) return null
  const a = alpha ? Math.min(1, alpha.figure / (alpha.percent ? 100 : 1)) : 1
  if (text.startsWith('hsl')) return { ...fromHsl(one.figure, two.figure / 100, three.figure / 100), a }
  const [r = 0, g = 0, b = 0] = [one, two, three].map(({ figure, percent }) =>
    Math.min(255, percent ? figure * 2.55 : figure),
  )
  return { r, g, b, a }
}

function fromHsl(hue: number, saturation: number, lightness: number): Omit<Colour, 'a'> {
  const [s, l] = [Math.min(1, saturation), Math.min(1, lightness)]
  const part = (n: number) => {
    const k = (n + hue / 30) % 12
    return 255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return { r: part(0), g: part(8), b: part(4) }
}

/** A colour, and neither grey nor nearly black or white. */
function isAccent(colour: Colour): boolean {
  const [least, most] = [Math.min(colour.r, colour.g, colour.b), Math.max(colour.r, colour.g, colour.b)]
  const light = luminance(colour)
  return most - least > 48 && light > 0.01 && light < 0.85
}
