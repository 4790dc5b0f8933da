import { pdfOptions } from './extractPdf'

export interface PageWanted {
  /** of a PDF */
  bytes: Uint8Array
  /** from 1 */
  page: number
  /** pixels of its picture; a larger one is not unpacked */
  most: number
}

/** What pdf.js makes of a picture: its rows of pixels. */
interface Pixels {
  width: number
  height: number
  /** bits of black and white in whole bytes a row, or bytes of colours */
  kind: number
  data: Uint8Array | Uint8ClampedArray | null
}
const BITS = 1
const CHANNELS: Readonly<Record<number, 3 | 4>> = { 2: 3, 3: 4 }

/**
 * Takes the picture that a scanned page is out of a PDF, in this thread: upright as the page says, in greys.
 * @returns a PNG; null: there is none, it is too large, or the page is made of several alike, such as strips
 */
export async function pagePicture({ bytes, page, most }: PageWanted): Promise<Uint8Array | null> {
  const { getDocumentProxy, getResolvedPDFJS } = await import('unpdf')
  const pdf = await getDocumentProxy(bytes, { ...pdfOptions, maxImageSize: most })
  try {
    const sheet = await pdf.getPage(page)
    const { OPS } = await getResolvedPDFJS()
    const { fnArray, argsArray } = await sheet.getOperatorList()
    const placed = argsArray.filter((_, at) => fnArray[at] === OPS.paintImageXObject) as [string, number, number][]
    const name = largestOf(placed)
    if (name === null) return null
    const store = name.startsWith('g_') ? sheet.commonObjs : sheet.objs
    const pixels = await new Promise<Pixels | null>((resolve) => store.get(name, resolve))
    return pixels && (await toPng(pixels, sheet.rotate))
  } finally {
    await pdf.destroy().catch(() => undefined)
  }
}

/** The name of the picture that is at least twice as large as any other one. */
function largestOf(placed: readonly [name: string, width: number, height: number][]): string | null {
  const areas = new Map(placed.map(([name, width, height]) => [name, width * height]))
  const [first, second] = [...areas].sort(([, one], [, other]) => other - one)
  return first && (!second || second[1] * 2 <= first[1]) ? first[0] : null
}

async function toPng(pixels: Pixels, turn: number): Promise<Uint8Array | null> {
  const { width, height, kind } = pixels
  const channels = kind === BITS ? 1 : CHANNELS[kind]
  const data = kind === BITS ? greysOf(pixels) : pixels.data
  if (!data || !channels) return null
  const { default: sharp } = await import('sharp')
  const flat = sharp(data, { raw: { width, height, channels } }).flatten({ background: 'white' })
  const png = await flat.rotate(turn).greyscale().png({ compressionLevel: 1 }).toBuffer()
  return new Uint8Array(png)
}

/** A byte for each bit, of which a set one is white. */
function greysOf({ width, height, data }: Pixels): Uint8Array | null {
  if (!data) return null
  const greys = new Uint8Array(width * height)
  const row = Math.ceil(width / 8)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) greys[y * width + x] = (data[y * row + (x >> 3)] ?? 0) & (0x80 >> (x & 7)) ? 255 : 0
  return greys
}
