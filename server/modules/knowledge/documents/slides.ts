import { MOST_CHARACTERS } from './documentText'
import { markdownTable } from './markdownTable'
import type { Zip } from './unzip'
import { readXml } from './xml'

/**
 * A PPTX's slides in their order, each with its title, texts and tables (ECMA-376, PresentationML). Speaker's notes and
 * hidden slides are left out: they are not for the public.
 */
export async function slidesMarkdown(zip: Zip): Promise<string> {
  const parts: string[] = []
  let length = 0
  for (const [at, name] of (await slideNames(zip)).entries()) {
    const xml = (await zip.read(name))?.toString('utf8')
    const slide = xml ? readSlide(xml) : null
    if (!slide || slide.hidden || (slide.title === '' && slide.body === '')) continue
    parts.push(`## ${slide.title || `Slide ${at + 1}`}\n\n${slide.body}`.trim())
    length += slide.body.length
    if (length > MOST_CHARACTERS) break
  }
  return parts.join('\n\n')
}

/** By the presentation's list; where that is missing, by the numbers in their names. */
async function slideNames(zip: Zip): Promise<string[]> {
  const targets = new Map<string, string>()
  const order: string[] = []
  const relations = (await zip.read('ppt/_rels/presentation.xml.rels'))?.toString('utf8') ?? ''
  readXml(relations, {
    onopentag(name, { Id, Target }) {
      if (name === 'Relationship' && Id && Target) targets.set(Id, Target)
    },
  })
  readXml((await zip.read('ppt/presentation.xml'))?.toString('utf8') ?? '', {
    onopentag(name, attributes) {
      if (name === 'p:sldId') order.push(targets.get(attributes['r:id'] ?? '') ?? '')
    },
  })
  const listed = order.map((target) => (target.startsWith('/') ? target.slice(1) : `ppt/${target}`))
  const names = new Set(zip.names)
  const found = listed.filter((name) => names.has(name))
  return found.length > 0
    ? found
    : zip.names.filter((name) => SLIDE.test(name)).sort((a, b) => numberOf(a) - numberOf(b))
}

const SLIDE = /^ppt\/slides\/slide(\d{1,6})\.xml$/
const numberOf = (name: string): number => Number(SLIDE.exec(name)?.[1] ?? 0)

interface Slide {
  title: string
  body: string
  hidden: boolean
}

/** What a placeholder is for that says what the slide is called. */
const TITLES = new Set(['title', 'ctrTitle'])

function readSlide(xml: string): Slide {
  const blocks: string[] = []
  let [title, hidden, isTitle, inTable] = ['', false, false, false]
  let paragraph = ''
  let shape: string[] = []
  let rows: string[][] = []
  let isText = false
  readXml(xml, {
    onopentag(name, attributes) {
      if (name === 'p:sld') hidden = attributes.show === '0'
      else if (name === 'p:sp') [shape, isTitle] = [[], false]
      else if (name === 'p:ph') isTitle = TITLES.has(attributes.type ?? '')
      else if (name === 'a:tbl') [rows, inTable] = [[], true]
      else if (name === 'a:tr') rows.push([])
      else if (name === 'a:tc') shape = []
      else if (name === 'a:p') paragraph = ''
      else if (name === 'a:br') paragraph += ' '
      else if (name === 'a:t') isText = true
    },
    ontext(text) {
      if (isText) paragraph += text
    },
    onclosetag(name) {
      if (name === 'a:t') isText = false
      else if (name === 'a:p' && paragraph.trim()) shape.push(paragraph.trim())
      else if (name === 'a:tc') rows.at(-1)?.push(shape.join(' '))
      else if (name === 'a:tbl') {
        blocks.push(markdownTable(rows, MOST_CHARACTERS))
        inTable = false
      } else if (name === 'p:sp' && !inTable) {
        if (isTitle) title = shape.join(' ')
        else blocks.push(shape.length > 1 ? shape.map((line) => `- ${line}`).join('\n') : (shape[0] ?? ''))
      }
    },
  })
  return { title, hidden, body: blocks.filter(Boolean).join('\n\n') }
}
