import { posix } from 'node:path'
import { MOST_CHARACTERS } from './documentText'
import { htmlMarkdown } from './office'
import type { Zip } from './unzip'
import { readXml } from './xml'

/** An EPUB's chapters in the order of its spine (EPUB 3.3, 4 and 5). Null if it has no package document. */
export async function bookMarkdown(zip: Zip): Promise<string | null> {
  let rootFile = ''
  readXml(await textOf(zip, 'META-INF/container.xml'), {
    onopentag(name, attributes) {
      if (name === 'rootfile') rootFile ||= attributes['full-path'] ?? ''
    },
  })
  const opf = await textOf(zip, rootFile)
  if (opf === '') return null
  const hrefs = new Map<string, string>()
  const spine: string[] = []
  readXml(opf, {
    onopentag(tag, { id, href, idref, linear }) {
      const name = tag.slice(tag.indexOf(':') + 1)
      if (name === 'item' && id && href) hrefs.set(id, href)
      if (name === 'itemref' && idref && linear !== 'no') spine.push(idref)
    },
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

function decoded(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}
