import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { registerRoute } from './access/register'
import { askDocs, type DocsPlace } from './contracts/documentation'
import { DOCS_PATH } from './docsPages'
import type { Passage } from './modules/knowledge/knowledge'
import { createLibrary, type Library } from './modules/knowledge/library'
import { readContent } from './modules/knowledge/tasks'
import type { ServerContext } from './platform/context'
import { ApiError } from './platform/errors'
import { runTask } from './platform/workers/runTask'

/** A page's headings with their ids, which VitePress makes. */
type Anchors = ReadonlyMap<string, string>
interface Docs {
  library: Library
  /** by the page's path */
  anchors: ReadonlyMap<string, Anchors>
}

const NEAREST = 3
const BETWEEN = ' › '
const SITE = / · [^·]*$/
/** What VitePress puts beside texts: a link behind each heading, the language above code. */
const AROUND = /<a class="header-anchor".*?<\/a>|<span class="lang">\w*<\/span>/g

/**
 * Answers questions from the built documentation. It is read when somebody first asks, in some seconds of worker
 * threads; without a build of it the route answers `not_found`.
 * @param folder as server/cli/docsBuild.mjs writes it
 */
export function answerFromDocs(app: FastifyInstance, context: ServerContext, folder: string): void {
  let docs: Promise<Docs> | undefined
  const open = () => {
    docs ??= readDocs(folder, context.config.publicUrl).catch((error) => {
      // the next question tries again
      docs = undefined
      throw error
    })
    return docs
  }
  registerRoute(app, context, askDocs, async ({ query: { question } }) => {
    if (!existsSync(join(folder, '404.html'))) throw new ApiError('not_found')
    const { library, anchors } = await open()
    const found = library.find(question)
    const extracted = library.extract(found, question)
    const placeOf = (passage: Passage) => placeIn(passage, anchors)
    if (!extracted)
      return { text: null, unsure: false, places: distinct(found.passages.map(placeOf)).slice(0, NEAREST) }
    return {
      text: extracted.text,
      unsure: found.zone === 'unsure',
      places: extracted.cites.flatMap((at) => found.passages[at] ?? []).map(placeOf),
    }
  })
}

async function readDocs(folder: string, publicUrl: string): Promise<Docs> {
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => file.endsWith('.html') && file !== '404.html',
  )
  const anchors = new Map<string, Anchors>()
  const pages = await Promise.all(
    files.sort().map(async (file) => {
      const html = await readFile(join(folder, file), 'utf8')
      const path = `${DOCS_PATH}/${file.replace(/(?:index)?\.html$/, '')}`
      anchors.set(path, anchorsOf(html))
      const bytes = Buffer.from(html.replace(AROUND, ''))
      const { title, markdown } = await runTask(
        readContent,
        { bytes, contentType: 'text/html; charset=utf-8', kind: 'html', url: new URL(path, publicUrl).href },
        { owner: DOCS_PATH },
      )
      return { title: title.replace(SITE, ''), url: path, markdown }
    }),
  )
  return { library: await createLibrary(pages, 'en'), anchors }
}

function placeIn({ source, heading }: Passage, anchors: ReadonlyMap<string, Anchors>): DocsPlace {
  const path = source.url ?? DOCS_PATH
  const section = heading.split(BETWEEN).at(-1) ?? ''
  const id = anchors.get(path)?.get(plain(section))
  return id && section !== source.title
    ? { title: `${source.title}${BETWEEN}${section}`, path: `${path}#${id}` }
    : { title: source.title, path }
}

const distinct = (places: readonly DocsPlace[]): DocsPlace[] => [
  ...new Map(places.map((place) => [place.path, place])).values(),
]

/** The pages are our own build's: their headings have one form. */
const anchorsOf = (html: string): Anchors =>
  new Map(
    [...html.matchAll(/<h[2-4] id="([^"]+)"[^>]*>(.*?)<a class="header-anchor"/g)].map(([, id = '', words = '']) => [
      plain(words.replace(/<[^>]+>/g, '')),
      id,
    ]),
  )

/** A heading as both sides write it: letters and digits alone, since one of them escapes others. */
const plain = (heading: string): string =>
  heading
    .replace(/&\w+;|[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
