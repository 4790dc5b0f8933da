import { type Colour, hexOf, inkOn, luminance, mix, over, parseColour, readableOn } from '../../../engine/values/colour'
import type { Look } from '../types'

export type Scheme = 'light' | 'dark'

/** Fonts that every system has, but Inter, which comes with the chat. */
const FONTS: Record<Look['shape']['font'], string> = {
  inter: '"Inter Variable", system-ui, -apple-system, "Segoe UI", sans-serif',
  system: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  serif: 'Charter, "Iowan Old Style", Georgia, Cambria, "Times New Roman", serif',
  rounded: 'ui-rounded, "SF Pro Rounded", "Hiragino Maru Gothic ProN", Quicksand, Nunito, "Varela Round", sans-serif',
  mono: 'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, monospace',
}

const colourOf = (text: string, otherwise: string): Colour =>
  parseColour(text) ?? parseColour(otherwise) ?? { r: 0, g: 0, b: 0, a: 1 }
const DANGER = colourOf('#b42318', '')
const DANGER_IN_DARK = colourOf('#f0766b', '')
const [BLACK, WHITE] = [colourOf('#000000', ''), colourOf('#ffffff', '')]
/** Below this luminance a background is a dark one: white is then easier to read on it than black. */
const DARK = 0.179

/**
 * The custom properties of a chat's style. All colours are computed here from numbers, and opaque: nothing that an
 * editor typed reaches a style sheet except `variables`, which the server has validated (contracts/web/look.ts).
 */
export function lookStyle({ colours, shape, variables }: Look, scheme: Scheme): Record<string, string> {
  const own = colours[scheme]
  const paper = colourOf(scheme === 'dark' ? '#000000' : '#ffffff', '')
  const background = over(colourOf(own.background, '#ffffff'), paper)
  const on = (text: string, otherwise: string) => over(colourOf(text, otherwise), background)
  const text = on(own.text, '#1b1c1a')
  const accent = on(own.accent, '#0f766e')
  const bot = on(own.bot, '#f2f2ef')
  const visitor = on(own.visitor, '#0f766e')
  const soft = mix(background, accent, 0.14)
  const isDark = luminance(background) < DARK
  const compact = shape.density === 'compact'
  const properties: Record<string, Colour> = {
    bg: background,
    text,
    // on bubbles too, where both can be
    muted: readableOn(readableOn(mix(text, background, 0.32), bot), background),
    line: mix(background, text, 0.13),
    bot,
    'on-bot': readableOn(text, bot),
    visitor,
    'on-visitor': inkOn(visitor),
    accent,
    // away from its words, which stay as readable as they were
    'accent-hover': mix(accent, luminance(inkOn(accent)) > DARK ? BLACK : WHITE, 0.14),
    'on-accent': inkOn(accent),
    'accent-soft': soft,
    'accent-text': readableOn(readableOn(accent, soft), background),
    danger: readableOn(isDark ? DANGER_IN_DARK : DANGER, background),
  }
  return {
    ...Object.fromEntries(Object.entries(properties).map(([name, colour]) => [`--${name}`, hexOf(colour)])),
    '--radius': `${shape.radius}px`,
    '--font': FONTS[shape.font],
    '--size': compact ? '14px' : '15px',
    '--bubble-y': compact ? '6px' : '9px',
    '--bubble-x': compact ? '11px' : '14px',
    '--gap': compact ? '8px' : '12px',
    'color-scheme': isDark ? 'dark' : 'light',
    ...variables,
  }
}
