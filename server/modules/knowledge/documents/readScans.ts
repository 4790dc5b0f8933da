import type { ServerContext } from '../../../platform/context'
import type { RunTask } from '../../../platform/workers/createThreads'
import { pagePicture } from '../tasks'
import type { BarePages, DocumentRead, ExtractedDocument } from './documentText'
import type { DocumentFile } from './extractDocument'
import { pageRanges } from './pageRanges'
import { runOcr } from './runOcr'
import { withScans } from './withScans'

/** Text recognition, as the operator set it. */
export interface Ocr {
  /** a program and its words (`OCR_COMMAND`) */
  command: readonly string[]
  log: Pick<ServerContext['log'], 'warn'>
  limits?: OcrLimits
}
export interface OcrLimits {
  /** of a page's picture: A4 at 300 dots an inch has 8.7 million */
  pixels: number
  /** of a document, without text of their own */
  pages: number
  /** for the picture of a page, and once more for its text */
  pageMs: number
  /** for a document */
  wholeMs: number
}
const USUAL: OcrLimits = { pixels: 20_000_000, pages: 50, pageMs: 30_000, wholeMs: 600_000 }

const NOTHING =
  'This PDF has no text: its pages are pictures, and text recognition (OCR) found no text in them. They may be faint, crooked or too large: scan them anew with 300 dots an inch, and upload that.'

/**
 * Reads the pages of a PDF that have no text by the operator's program, one document at a time.
 * @returns adds their text to what was extracted, under its pages, with a note on how it was read and what was not
 */
export function createScanReader(run: RunTask, { command, log, limits = USUAL }: Ocr) {
  let last: Promise<unknown> = Promise.resolve()
  return (
    file: DocumentFile,
    extracted: ExtractedDocument & { bare: BarePages },
    signal: AbortSignal,
    owner?: string,
  ): Promise<DocumentRead> => {
    const reading = last.then(async () => merge(extracted, await recognise(file, extracted.bare.pages, signal, owner)))
    last = reading.catch(() => undefined)
    return reading
  }

  /** Texts by page, of those that have one. */
  async function recognise({ bytes }: DocumentFile, pages: readonly number[], signal: AbortSignal, owner?: string) {
    const texts = new Map<number, string>()
    const end = performance.now() + limits.wholeMs
    let fault: unknown = null
    for (const page of pages.slice(0, limits.pages)) {
      signal.throwIfAborted()
      const left = end - performance.now()
      if (left <= 0) break
      const patience = Math.min(limits.pageMs, left)
      try {
        const input = { bytes: new Uint8Array(bytes), page, most: limits.pixels }
        const picture = await run(pagePicture, input, { signal, owner, timeMs: patience })
        const text = picture && (await runOcr(command, picture, { patience, signal }))
        if (text && /[\p{L}\p{N}]/u.test(text)) texts.set(page, text)
      } catch (error) {
        signal.throwIfAborted()
        fault ??= error
      }
    }
    // once for a document: a program that is not there fails on every page
    if (fault) log.warn({ err: fault }, 'a page could not be read by the command of OCR_COMMAND')
    return texts
  }

  function merge({ bare, ...own }: ExtractedDocument & { bare: BarePages }, texts: ReadonlyMap<number, string>) {
    if (texts.size === 0) return 'failed' in own ? { failed: NOTHING } : own
    const markdown = withScans('failed' in own ? '' : own.markdown, texts)
    const read = `Read by text recognition (OCR), so look over its text: ${named([...texts.keys()])}.`
    const missing = bare.pages.filter((page) => !texts.has(page))
    const unread = `No text was found on ${named(missing)}: blank, a drawing, too large or too slow to read.`
    const more = `At most ${limits.pages} pages of a document are read so: split it to have the others, too.`
    const note = [read, ...(missing.length > 0 ? [unread] : []), ...(bare.pages.length > limits.pages ? [more] : [])]
    return { markdown, pages: bare.total, note: note.join(' ') }
  }
}

const named = (pages: readonly number[]): string => `page${pages.length > 1 ? 's' : ''} ${pageRanges(pages)}`
