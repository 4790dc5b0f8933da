import {
  type Colour,
  contrast,
  hexOf,
  mix,
  over,
  parseColour,
  readableOn,
  TEXT_CONTRAST,
} from '../../../engine/values/colour'
import type { Look } from '../../../server/contracts/web/look'

export type Colours = Look['colours']['light']
/** WCAG 2.2, 1.4.11: what parts of a control need. */
const PART_CONTRAST = 3

export interface Readability {
  name: 'text' | 'bot' | 'accent'
  /** 1 to 21 */
  contrast: number
  enough: boolean
}

const opaque = (text: string, below: Colour): Colour | null => {
  const colour = parseColour(text)
  return colour && over(colour, below)
}
const WHITE: Colour = { r: 255, g: 255, b: 255, a: 1 }

/**
 * How well what stands in a chat can be read; nothing is said of colours that are none. What stands on buttons is
 * chosen by the chat itself.
 */
export function readabilityOf(colours: Colours): Readability[] {
  const background = opaque(colours.background, WHITE)
  if (!background) return []
  const [text, bot, accent] = [colours.text, colours.bot, colours.accent].map((each) => opaque(each, background))
  const found: Readability[] = []
  const add = (
    name: Readability['name'],
    one: Colour | null | undefined,
    other: Colour | null | undefined,
    least: number,
  ) => {
    if (!one || !other) return
    const measured = contrast(one, other)
    found.push({ name, contrast: measured, enough: measured >= least })
  }
  add('text', text, background, TEXT_CONTRAST)
  add('bot', text, bot, TEXT_CONTRAST)
  add('accent', accent, background, PART_CONTRAST)
  return found
}

/** The same colours, changed as little as is needed for all of it to be read. */
export function madeReadable(colours: Colours): Colours {
  const background = opaque(colours.background, WHITE)
  const [text, bot, accent] = [colours.text, colours.bot, colours.accent].map((each) =>
    background ? opaque(each, background) : null,
  )
  if (!background || !text || !bot || !accent) return colours
  const readable = readableOn(text, background)
  return {
    ...colours,
    text: contrast(text, background) >= TEXT_CONTRAST ? colours.text : hexOf(readable),
    // a bubble that the text can't be read on comes closer to the background, on which it can
    bot: contrast(readable, bot) >= TEXT_CONTRAST ? colours.bot : hexOf(towards(bot, background, readable)),
    accent:
      contrast(accent, background) >= PART_CONTRAST
        ? colours.accent
        : hexOf(readableOn(accent, background, PART_CONTRAST)),
  }
}

function towards(bubble: Colour, background: Colour, text: Colour): Colour {
  for (let share = 0.1; share < 1; share += 0.1) {
    const closer = parseColour(hexOf(mix(bubble, background, share)))
    if (closer && contrast(text, closer) >= TEXT_CONTRAST) return closer
  }
  return background
}
