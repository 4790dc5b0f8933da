const ROW = 30
const WIDTH = 640
const PAD = 16
const HEAD = 40
/** Letters of a name that have room beside its number. */
const MOST_LETTERS = 72

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character] ?? '')
const cut = (text: string) =>
  [...text].length > MOST_LETTERS ? `${[...text].slice(0, MOST_LETTERS - 1).join('')}…` : text

/** A bar of a list as a file draws it. */
export interface DrawnBar {
  name: string
  value: number
  /** the number and the share, in words */
  text: string
}

/**
 * A list of bars as an SVG file of its own, which needs no style sheet: light, as it is put on paper and slides.
 * Control characters, which XML has not, are left out.
 */
export function barsSvg(title: string, bars: readonly DrawnBar[]): string {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const height = HEAD + bars.length * ROW + PAD
  const inner = WIDTH - 2 * PAD
  const rows = bars.map(({ name, value, text }, at) => {
    const y = HEAD + at * ROW
    const width = Math.round((value / most) * inner)
    return `<rect x="${PAD}" y="${y}" width="${width}" height="${ROW - 4}" rx="4" fill="#dfe6fb"/>
<text x="${PAD + 8}" y="${y + 17}" font-size="12" fill="#1d1e1b">${escaped(cut(name))}</text>
<text x="${WIDTH - PAD - 8}" y="${y + 17}" font-size="12" fill="#1d1e1b" text-anchor="end">${escaped(text)}</text>`
  })
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif">
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="${PAD}" y="26" font-size="14" font-weight="600" fill="#1d1e1b">${escaped(title)}</text>
${rows.join('\n')}
</svg>
`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out
  return drawing.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
}
