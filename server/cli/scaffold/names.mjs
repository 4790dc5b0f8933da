/** `saved-replies` in the forms that code and texts use. */
export const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())
export const pascal = (name) => camel(`-${name}`)
export const snake = (name) => name.replaceAll('-', '_')
export const words = (name) => name.replaceAll('-', ' ')
export const sentence = (name) => words(name).replace(/^./, (letter) => letter.toUpperCase())

/** The singular: `label` of `labels`. */
export function singular(name) {
  if (/[^aeiou]ies$/.test(name)) return name.replace(/ies$/, 'y')
  if (/(s|x|ch|sh)es$/.test(name)) return name.replace(/es$/, '')
  return /[^s]s$/.test(name) ? name.replace(/s$/, '') : `${name}-item`
}
