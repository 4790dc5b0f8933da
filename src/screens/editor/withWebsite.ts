import { contrast, hexOf, inkOn, mix, over, parseColour, readableOn } from '../../../engine/values/colour'
import type { Look } from '../../../server/contracts/web/look'
import { lookCaps } from '../../../server/contracts/web/look'
import type { WebsiteLook } from '../../../server/contracts/web/websiteLook'
import { madeReadable } from './readability'

const WHITE = { r: 255, g: 255, b: 255, a: 1 }
const NIGHT = { r: 22, g: 23, b: 24, a: 1 }

/** A look in a website's colours, for light and for dark, all of it readable; what the website does not say stays. */
export function withWebsite(look: Look, found: Partial<WebsiteLook>): Look {
  const { light, dark } = look.colours
  const named = (text: string | undefined, otherwise: string) => over(parseColour(text ?? otherwise) ?? WHITE, WHITE)
  const accent = named(found.accent, light.accent)
  const background = named(found.background, light.background)
  const text = found.text ? named(found.text, light.text) : readableOn(named(undefined, light.text), background)
  const takesColours = found.accent ?? found.background ?? found.text
  const ink = contrast(text, background) >= 4.5 ? text : inkOn(background)
  return {
    ...look,
    ...(takesColours && { theme: '' }),
    brand: {
      ...look.brand,
      ...(found.name && { name: found.name.slice(0, lookCaps.name) }),
      ...(found.avatar && { avatar: found.avatar }),
    },
    colours: takesColours
      ? {
          ...look.colours,
          light: madeReadable({
            accent: hexOf(accent),
            background: hexOf(background),
            text: hexOf(ink),
            bot: hexOf(mix(background, ink, 0.06)),
            visitor: hexOf(accent),
          }),
          // the accent alone is the site's at night: its background would not be dark
          dark: madeReadable({
            ...dark,
            accent: hexOf(readableOn(accent, NIGHT)),
            visitor: hexOf(readableOn(accent, NIGHT, 3)),
          }),
        }
      : look.colours,
  }
}
