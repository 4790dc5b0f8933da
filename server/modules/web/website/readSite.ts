import { readColours, type SiteColours } from './readColours'
import { type PageHead, readHead } from './readHead'

/** What one of a website's threads works on: the page alone first, then what the page names. */
export type SiteInput =
  | { step: 'head'; html: Uint8Array; url: string }
  | { step: 'colours'; sheets: Uint8Array[]; styles: string[]; named: string[]; manifest: Uint8Array | null }

export type SiteRead = { head: PageHead } | { colours: SiteColours; name: string | null }

/** Foreign text, read in a thread: it may take all the time that its thread is given. */
export function readSite(input: SiteInput): SiteRead {
  const decoder = new TextDecoder()
  if (input.step === 'head') return { head: readHead(decoder.decode(input.html), input.url) }
  const manifest = manifestOf(input.manifest && decoder.decode(input.manifest))
  const sheets = [...input.styles, ...input.sheets.map((sheet) => decoder.decode(sheet))]
  const colours = readColours(sheets, [...input.named, ...manifest.theme])
  return {
    colours: { ...colours, background: colours.background ?? manifest.background },
    name: manifest.name,
  }
}

function manifestOf(text: string | null): { name: string | null; theme: string[]; background: string | null } {
  const nothing = { name: null, theme: [], background: null }
  if (!text) return nothing
  try {
    const manifest: unknown = JSON.parse(text)
    if (typeof manifest !== 'object' || manifest === null) return nothing
    const textOf = (key: string): string | null => {
      const value = (manifest as Record<string, unknown>)[key]
      return typeof value === 'string' && value.length <= 100 ? value : null
    }
    const background = textOf('background_color')
    return {
      name: textOf('short_name') ?? textOf('name'),
      theme: [textOf('theme_color')].filter((each) => each !== null),
      background: background && /^#[0-9a-f]{6}$/i.test(background) ? background : null,
    }
  } catch {
    return nothing
  }
}
