import { posix } from 'node:path'
import { Parser } from 'htmlparser2'
import { MOST_CHARACTERS } from './documentText'
import { htmlMarkdown } from './office'
import type { Zip } from './unzip'

/** An EPUB's chapters in the order of its spine (EPUB 3.3, 4 and 5). Null if it has no package document. */
export async function bookMarkdown(zip: Zip): Promise<string | null> {
  let rootFile = ''
  openTags(await textOf(zip, 'META-INF/container.xml'), (name, attributes) => {
    if (name === 'rootfile') rootFile ||= attributes['full-path'] ?? ''
  })
  const opf = await textOf(zip, rootFile)
  if (opf === '') return null
  const hrefs = new Map<string, string>()
  const spine: string[] = []
  openTags(opf, (tag, { id, href, idref, linear }) => {
    const name = tag.slice(tag.indexOf(':') + 1)
    if (name === 'item' && id && href) hrefs.set(id, href)
    if (name === 'itemref' && idref && linear !== 'no') spine.push(idref)
  })
  const chapters: string[] = []
  let length = 0
  for (const id of spine) {
    const href = decoded(hrefs.get(id) ?? '')
    const markdown = htmlMarkdown(await textOf(zip, posix.join(posix.dirname(rootFile), href)))
    if (markdown === '') continue
    chapters.push(markdown)
    length += markdown.length
    if (length > MOST_CHARACTERS) break
  }
  return chapters.join('\n\n')
}

const textOf = async (zip: Zip, name: string): Promise<string> => (await zip.read(name))?.toString('utf8') ?? ''

function openTags(xml: string, onOpen: (name: string, attributes: Record<string, string>) => void): void {
  new Parser({ onopentag: onOpen }, { xmlMode: true }).end(xml)
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}
