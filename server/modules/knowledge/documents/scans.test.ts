import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { bundleForNode } from '../../../../tests/support/bundle'
import { linesOf, type PdfPicture, writePdf } from '../../../../tests/support/pdf'
import { createThreads } from '../../../platform/workers/createThreads'
import { createDocumentReader, documentLimits } from './readDocument'
import { runOcr } from './runOcr'

const TESSERACT = [process.env.TESSERACT_PATH || '/usr/bin/tesseract', '-', '-', '-l', 'eng+deu']
const usual = { pixels: 20_000_000, pages: 50, pageMs: 30_000, wholeMs: 600_000 }
const never = new AbortController().signal

let folder: string
let worker: Awaited<ReturnType<typeof bundleForNode>>
/** reads nothing, and says what its first word is */
let program: string
beforeAll(async () => {
  worker = await bundleForNode('server/taskThread.ts')
  folder = await mkdtemp(join(tmpdir(), 'parley-ocr-'))
  program = join(folder, 'program; touch owned')
  await writeFile(
    program,
    `#!/bin/sh
env > "${folder}/seen"
cat > /dev/null
case "$1" in
  broken) echo "no language" >&2; exit 2 ;;
  slow) sleep 600 & echo $! > "${folder}/child"; wait ;;
  left) sleep 600 & echo $! > "${folder}/child" ;;
  much) yes ;;
  *) echo "$1" ;;
esac
`,
  )
  await chmod(program, 0o755)
})
afterAll(async () => {
  await worker.remove()
  await rm(folder, { recursive: true })
})

function read(
  pdf: Buffer,
  command: readonly string[],
  limits: Partial<typeof usual> = {},
  thread: string | null = null,
) {
  const log = { warn: vi.fn() }
  const run = createThreads({ ...documentLimits, program: thread })
  const readFile = createDocumentReader({ command, log, limits: { ...usual, ...limits } }, run)
  return readFile({ bytes: new Uint8Array(pdf), name: 'a.pdf' }, never).then((text) => ({ text, log }))
}

/** A page of A4 at 150 dots an inch, a little grey and blurred, as from a scanner. */
async function scan(lines: readonly string[], bits: PdfPicture['bits'], turn?: 180): Promise<PdfPicture> {
  const [width, height] = [1240, 1754]
  // not by SVG, which the server's own use of sharp forbids in a process (platform/files/pictures)
  const words = lines.map((line, at) => ({
    input: { text: { text: `<span foreground="#222">${line}</span>`, font: 'DejaVu Serif 13', dpi: 150, rgba: true } },
    left: 120,
    top: 180 + at * 44,
  }))
  const paper = sharp({ create: { width, height, channels: 3, background: '#f4f2ee' } }).composite(words)
  const drawn = sharp(await paper.png().toBuffer())
    .blur(0.6)
    .rotate(turn ?? 0)
  const place = { width, height, bits, turn }
  if (bits === null) return { ...place, bytes: await drawn.flatten().jpeg({ quality: 60 }).toBuffer() }
  const greys = await drawn.greyscale().raw().toBuffer()
  if (bits === 8) return { ...place, bytes: greys }
  const packed = Buffer.alloc((width / 8) * height)
  for (const [at, grey] of greys.entries())
    if (grey > 128) packed[at >> 3] = (packed[at >> 3] ?? 0) | (0x80 >> (at & 7))
  return { ...place, bytes: packed }
}

/** The share of words (F1) that were read as they were written. */
function wordsKept(written: readonly string[], found: string): number {
  const wanted = written.join(' ').split(/\s+/)
  const left = [...wanted]
  const words = found.split(/\s+/).filter(Boolean)
  const hits = words.filter((word) => {
    const at = left.indexOf(word)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  }).length
  return (2 * hits) / (wanted.length + words.length)
}

const ENGLISH = [
  'The workshop lends tools to everybody who lives in the valley.',
  'A drill costs four euros a day, and a ladder costs six euros.',
  'Please bring them back clean before Thursday at noon, since',
  'others wait for them. Whoever comes late pays for another day.',
]
const GERMAN = [
  'Die Bücherei öffnet täglich um zehn Uhr und schließt früh.',
  'Größere Gruppen müssen sich fünf Tage vorher anmelden.',
  'Für Schüler und Ältere ist die Führung durch das Haus frei,',
  'übrige Gäste zahlen zwölf Euro. Hunde dürfen draußen warten.',
]

test('scanned pages are read beside those that have text: coloured, black and white, and upside down', async () => {
  const pictures = { 2: await scan(ENGLISH, null), 3: await scan(GERMAN, 1, 180) }
  const pdf = writePdf([linesOf(['Written by a program.']), [], [], linesOf(['The end.']), []], { pictures })
  const { text, log } = await read(pdf, TESSERACT, {}, worker.entry)
  if ('failed' in text) throw new Error(text.failed)
  const pages = text.markdown.split(/<!-- page (\d+) -->/)
  expect(pages.filter((_, at) => at % 2 === 1)).toEqual(['1', '2', '3', '4'])
  expect(wordsKept(ENGLISH, pages[4] ?? '')).toBeGreaterThan(0.9)
  expect(wordsKept(GERMAN, pages[6] ?? '')).toBeGreaterThan(0.9)
  expect(pages[8]).toContain('The end.')
  expect([text.pages, text.note, log.warn.mock.calls]).toEqual([
    5,
    'Read by text recognition (OCR), so look over its text: pages 2–3. No text was found on page 5: blank, a drawing, too large or too slow to read.',
    [],
  ])
})

test('a page too large is not unpacked but named, and so are pages after as many as are read', async () => {
  const small = { bytes: Buffer.alloc(64 * 64), width: 64, height: 64, bits: 8 } as const
  const large = { ...small, bytes: Buffer.alloc(128 * 64), width: 128 }
  const pdf = writePdf([[], [], [], []], { pictures: { 1: small, 2: large, 3: small, 4: small } })
  const { text } = await read(pdf, [program, '# words'], { pixels: 64 * 64, pages: 3 })
  expect(text).toEqual({
    markdown: '<!-- page 1 -->\n\n\\# words\n\n<!-- page 3 -->\n\n\\# words',
    pages: 4,
    note: 'Read by text recognition (OCR), so look over its text: pages 1, 3. No text was found on pages 2, 4: blank, a drawing, too large or too slow to read. At most 3 pages of a document are read so: split it to have the others, too.',
  })
})

test.each([
  ['there is no time left', ['words'], { wholeMs: 0 }, 0],
  ['a page takes too long', ['slow'], { pageMs: 500 }, 1],
  ['the program fails', ['broken'], {}, 1],
  ['it finds none', ['--'], {}, 0],
])(
  'a scanned document says that nothing was found, and the log says once why, when %s',
  async (_, words, limits, said) => {
    const small = { bytes: Buffer.alloc(64 * 64), width: 64, height: 64, bits: 8 } as const
    const { text, log } = await read(writePdf([[]], { pictures: { 1: small } }), [program, ...words], limits)
    expect(text).toEqual({ failed: expect.stringMatching(/text recognition \(OCR\) found no text.*scan them anew/) })
    expect(log.warn).toHaveBeenCalledTimes(said)
  },
)

const ocr = (word: string, patience = 10_000, signal = never) =>
  runOcr([program, word], new Uint8Array(9), { patience, signal })

test('no shell reads the words of the command, and the program gets none of our keys', async () => {
  process.env.SECRET_KEYS = 'a key of ours'
  expect(await ocr('a; touch owned')).toBe('a; touch owned\n')
  expect(await readFile(join(folder, 'seen'), 'utf8')).not.toContain('a key of ours')
  delete process.env.SECRET_KEYS
})

test('a program that fails, says too much or is not there is told', async () => {
  await expect(ocr('broken')).rejects.toThrow('ended with 2: no language')
  await expect(ocr('much')).rejects.toThrow('more than 50000 bytes of text')
  await expect(runOcr([join(folder, 'none')], new Uint8Array(9), { patience: 9_000, signal: never })).rejects.toThrow(
    'ENOENT',
  )
})

test.each(['slow', 'left'])('a program that is %s is ended with what it started', async (word) => {
  await expect(ocr(word, 500)).rejects.toThrow('nothing in 500 ms')
  const child = Number(await readFile(join(folder, 'child'), 'utf8'))
  await expect.poll(() => readFile(`/proc/${child}/stat`, 'utf8').catch(() => 'gone')).toMatch(/gone|\) Z /)
})

test('a program whose text nobody wants any more is ended', async () => {
  const stop = new AbortController()
  const reading = ocr('slow', 60_000, stop.signal)
  stop.abort(new Error('not wanted'))
  await expect(reading).rejects.toThrow('not wanted')
})
