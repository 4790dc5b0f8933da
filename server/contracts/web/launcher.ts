import type { Look } from './look'

/** The launcher as it is drawn: what a page has to know of the look, and no rule of how it comes about. */

type Icon = Look['launcher']['icon']

/** Lines on a field of 24 by 24 (the `d` of a path); an image that was not given yet is the chat's. */
export const launcherIcons: Readonly<Record<Icon, string>> = {
  chat: 'M4 12a8 7.5 0 1 1 3.6 6.3L3.5 20l1.4-3.6A7 7 0 0 1 4 12ZM8.5 10.5h7M8.5 13.8h4.5',
  question: 'M9 9a3 3 0 1 1 4.6 2.6c-1 .6-1.6 1.2-1.6 2.4M12 17.5v.1M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18Z',
  spark: 'M12 3.5 14 10l6.5 2-6.5 2-2 6.5-2-6.5-6.5-2L10 10ZM19 3v4M21 5h-4',
  hand: 'M7 12V6.5a1.5 1.5 0 0 1 3 0V11V4.5a1.5 1.5 0 0 1 3 0V11V5.5a1.5 1.5 0 0 1 3 0V12V8a1.5 1.5 0 0 1 3 0v6a7 7 0 0 1-12.6 4.2L3.6 14.5A1.6 1.6 0 0 1 6 12.5l1 1Z',
  headset:
    'M4 14v-2a8 8 0 0 1 16 0v2M4 14h3v5H5.5A1.5 1.5 0 0 1 4 17.5ZM20 14h-3v5h1.5a1.5 1.5 0 0 0 1.5-1.5ZM18 19c0 1.5-2 2.5-4.5 2.5',
  image: 'M4 12a8 7.5 0 1 1 3.6 6.3L3.5 20l1.4-3.6A7 7 0 0 1 4 12ZM8.5 10.5h7M8.5 13.8h4.5',
}

/** Black or white, whichever reads better on a colour (WCAG 2, relative luminance). */
export function readableOn(colour: string): string {
  const numbers = colour.startsWith('#') ? colour.match(/\w\w/g)?.map((hex) => parseInt(hex, 16)) : colour.match(/\d+/g)
  const [r = 0, g = 0, b = 0] = (numbers ?? []).slice(0, 3).map((value) => {
    const share = Number(value) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  // where black and white are as far away
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#0d0e0d' : '#ffffff'
}

/** What the launcher is drawn by. */
export function drawnLauncher({ launcher, colours, shape }: Pick<Look, 'launcher' | 'colours' | 'shape'>) {
  const half = ({ accent, background, text }: Look['colours']['light']) => ({
    accent,
    on: readableOn(accent),
    background,
    text,
  })
  const { icon, image, ...rest } = launcher
  return {
    ...rest,
    icon: launcherIcons[icon],
    image: icon === 'image' ? image : '',
    radius: shape.radius,
    scheme: colours.scheme,
    light: half(colours.light),
    dark: half(colours.dark),
  }
}
