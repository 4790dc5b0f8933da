import { deflateSync } from 'node:zlib'

/** A text at a position from the left and the bottom of a page; letters are half as wide as high. */
export interface PdfText {
  text: string
  x: number
  y: number
  /** default: 10 */
  size?: number
  /** another font of the same letters */
  bold?: boolean
}

/** A picture that fills its page, as a scanner puts it there. */
export interface PdfPicture {
  /** a JPEG, or rows of pixels */
  bytes: Buffer
  width: number
  height: number
  /** bits of a grey pixel in rows; null: it is a JPEG in colours */
  bits: 1 | 8 | null
  /** degrees that the page is turned by when it is shown */
  turn?: 90 | 180 | 270
}

export interface PdfOptions {
  /** by the page's number, from 1 */
  pictures?: Readonly<Record<number, PdfPicture>>
  /** requires an unknown password */
  locked?: boolean
  /** whether it maps its letters to Unicode; default: true */
  unicode?: boolean
  /** a form on the first page: names, what people see of them, and what is filled in; true is a tick */
  fields?: readonly { name: string; label?: string; value: string | boolean; password?: boolean }[]
  /** letters by a predefined map, as old programs write Chinese and Japanese: neither a font nor Unicode is in it */
  map?: { name: 'UniGB-UCS2-H'; ordering: 'GB1' } | { name: 'UniJIS-UCS2-H'; ordering: 'Japan1' }
  /** a form of the kind that draws its pages by itself */
  xfa?: boolean
  /** a compressed content of the first page that expands to that many bytes of nothing */
  bomb?: number
}

/**
 * Writes a PDF: pages with positioned texts in any script, in a font that is not embedded. A page without texts has a
 * drawing, like a scan.
 */
export function writePdf(
  pages: readonly (readonly PdfText[])[],
  { locked, unicode = true, bomb, fields = [], xfa = false, map, pictures = {} }: PdfOptions = {},
): Buffer {
  const letters = new Map<string, number>()
  const codeOf = (letter: string): string => {
    if (map) return hex(letter.charCodeAt(0))
    if (!letters.has(letter)) letters.set(letter, letters.size + 1)
    return hex(letters.get(letter) ?? 0)
  }
  const drawn = pages.map((texts, at) =>
    pictures[at + 1]
      ? 'q 600 0 0 800 0 0 cm /Picture Do Q'
      : texts.length === 0
        ? 'q 0.5 g 50 50 400 600 re f Q'
        : texts
            .map(
              ({ text, x, y, size = 10, bold = false }) =>
                `BT /F${bold ? 2 : 1} ${size} Tf ${x} ${y} Td <${[...text].map(codeOf).join('')}> Tj ET`,
            )
            .join('\n'),
  )
  const first = 9
  const kids = pages.map((_, at) => `${first + at * 2} 0 R`)
  const font = (name: string, glyphs: number) =>
    object(
      `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /${map?.name ?? 'Identity-H'} /DescendantFonts [${glyphs} 0 R]${unicode && !map ? ' /ToUnicode 5 0 R' : ''} >>`,
    )
  const glyphs = (name: string, widths: string) =>
    object(
      `<< /Type /Font /Subtype /${map ? 'CIDFontType0' : 'CIDFontType2'} /BaseFont /${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (${map?.ordering ?? 'Identity'}) /Supplement 0 >> /DW 500 ${widths} /FontDescriptor 6 0 R >>`,
    )
  const widgets = first + pages.length * 2
  const refs = fields.map((_, at) => `${widgets + at} 0 R`).join(' ')
  const images = widgets + fields.length + (xfa ? 1 : 0)
  const resourceOf = (page: number) => {
    const at = Object.keys(pictures).indexOf(String(page))
    return at < 0 ? '' : ` /XObject << /Picture ${images + at} 0 R >>`
  }
  const turnOf = (page: number) => (pictures[page]?.turn ? ` /Rotate ${pictures[page].turn}` : '')
  const form = xfa
    ? ` /AcroForm << /Fields [] /XFA ${widgets} 0 R >>`
    : fields.length > 0
      ? ` /AcroForm << /Fields [${refs}] >>`
      : ''
  const objects: Buffer[] = [
    object(`<< /Type /Catalog /Pages 2 0 R${form} >>`),
    object(`<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`),
    font('Plain', 4),
    glyphs('Plain', ''),
    stream(Buffer.from(toUnicode(letters))),
    object(
      '<< /Type /FontDescriptor /FontName /Plain /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
    ),
    font('Plain-Bold', 8),
    // readers take fonts that differ in their name alone for one
    glyphs('Plain-Bold', '/W [0 [500]]'),
    ...drawn.flatMap((content, at) => [
      object(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${first + at * 2 + 1} 0 R /Resources << /Font << /F1 3 0 R /F2 7 0 R >>${resourceOf(at + 1)} >>${turnOf(at + 1)}${at === 0 && refs ? ` /Annots [${refs}]` : ''} >>`,
      ),
      stream(bomb && at === 0 ? Buffer.alloc(bomb, ' ') : Buffer.from(content)),
    ]),
    ...fields.map(({ name, label, value, password }) =>
      object(
        `<< /Type /Annot /Subtype /Widget /Rect [50 50 200 70] /T (${name})${label ? ` /TU (${label})` : ''} ${
          typeof value === 'string'
            ? `/FT /Tx /V (${value}) /Ff ${password ? 1 << 13 : 0}`
            : `/FT /Btn /V /${value ? 'Yes' : 'Off'} /AS /${value ? 'Yes' : 'Off'} /AP << /N << /Yes 4 0 R /Off 4 0 R >> >>`
        } >>`,
      ),
    ),
    ...(xfa ? [stream(Buffer.from('<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"></xdp:xdp>'))] : []),
    ...Object.values(pictures).map(({ bytes, width, height, bits }) =>
      stream(
        bytes,
        `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace ${bits ? '/DeviceGray' : '/DeviceRGB'} /BitsPerComponent ${bits ?? 8}`,
        bits ? 'FlateDecode' : 'DCTDecode',
      ),
    ),
  ]
  const id = 'a'.repeat(32)
  const lock = locked
    ? ` /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${id}${id}> /U <${id}${id}> >> /ID [<${id}> <${id}>]`
    : ''
  return file(objects, lock)
}

/** Texts in lines from the top, in page order. */
export const linesOf = (texts: readonly string[], { x = 50, top = 750, size = 10, leading = 14 } = {}): PdfText[] =>
  texts.map((text, at) => ({ text, x, y: top - at * leading, size }))

/**
 * Rows of cells from the top, drawn row by row.
 * @param columns where each column begins, or, as `{ end }`, ends: numbers do
 */
export const tableOf = (
  rows: readonly (readonly string[])[],
  columns: readonly (number | { end: number })[],
  { top = 700, leading = 20, head = false } = {},
): PdfText[] =>
  rows.flatMap((row, at) =>
    row.flatMap((text, column) => {
      const place = columns[column] ?? 0
      const x = typeof place === 'number' ? place : place.end - text.length * 5
      return text === '' ? [] : [{ text, x, y: top - at * leading, bold: head && at === 0 }]
    }),
  )

const hex = (code: number): string => code.toString(16).padStart(4, '0')
const object = (content: string): Buffer => Buffer.from(content)
function stream(content: Buffer, entries = '', filter: 'FlateDecode' | 'DCTDecode' = 'FlateDecode'): Buffer {
  const packed = filter === 'FlateDecode' ? deflateSync(content) : content
  return Buffer.concat([
    Buffer.from(`<< ${entries} /Length ${packed.length} /Filter /${filter} >>\nstream\n`),
    packed,
    Buffer.from('\nendstream'),
  ])
}

function toUnicode(letters: ReadonlyMap<string, number>): string {
  const lines = [...letters].map(
    ([letter, code]) => `<${hex(code)}> <${Buffer.from(letter, 'utf16le').swap16().toString('hex')}>`,
  )
  const blocks: string[] = []
  for (let at = 0; at < lines.length; at += 100) {
    const block = lines.slice(at, at + 100)
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`)
  }
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${blocks.join('\n')}
endcmap end end`
}

function file(objects: readonly Buffer[], lock: string): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const places: number[] = []
  let length = parts[0]?.length ?? 0
  const add = (part: Buffer) => {
    parts.push(part)
    length += part.length
  }
  for (const [at, content] of objects.entries()) {
    places.push(length)
    add(Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), content, Buffer.from('\nendobj\n')]))
  }
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const start = length
  add(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${lock} >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}
