import { Parser } from 'htmlparser2'
import { type Entry, type ExchangedText, exchangeCaps, type ReadFile, UnreadableFile } from './entries'

/**
 * XLIFF 2.0 (OASIS): a file per flow and a unit per text, identified by its block and place. Variables are `<ph>`,
 * formatting and links `<pc>`, both with their markup as original data, so that translation programs preserve them.
 */
export function writeXliff(texts: readonly ExchangedText[], main: string, language: string): string {
  const flows = new Map<string, ExchangedText[]>()
  for (const text of texts) flows.set(text.flow ?? '', [...(flows.get(text.flow ?? '') ?? []), text])
  const files = [...flows].map(
    ([flow, own]) =>
      `  <file id="f-${attribute(flow)}" original="${attribute(own[0]?.flowTitle ?? '')}">\n${own.map((text) => unitOf(text, language)).join('')}  </file>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="${main}" trgLang="${language}">\n${files.join('')}</xliff>\n`
}

function unitOf({ id, group, block, field, main, line, translations }: ExchangedText, language: string): string {
  const translated = translations.get(language)
  const codes = new Map<string, string>()
  const numbers = createNumbers()
  const source = inline(main, line, codes, numbers())
  const target = translated && inline(translated.text, line, codes, numbers())
  const data = [...codes].map(([code, key]) => `<data id="${key}">${content(code)}</data>`).join('')
  const state = translated ? (translated.needsReview ? 'translated' : 'reviewed') : 'initial'
  return [
    `    <unit id="${attribute(id)}" name="${attribute([group, block, field].join(' › '))}">`,
    data && `      <originalData>${data}</originalData>`,
    `      <segment state="${state}">`,
    `        <source xml:space="preserve">${source}</source>`,
    target && `        <target xml:space="preserve">${target}</target>`,
    '      </segment>',
    '    </unit>\n',
  ]
    .filter(Boolean)
    .join('\n')
}

/** Markup within a text; in a text of one line only variables and escapes. */
const CODE = /<\/?[bui]>|<a href="[^"\n]*">|<\/a>|<li(?: number)?(?: level="\d")?>|\{\{[^{}\n]*\}\}/gu
const PLACEHOLDER = /\{\{[^{}\n]*\}\}/gu

/** Markup as XML; collects the markup of all codes of the unit in `codes`, by key. */
function inline(markup: string, line: boolean, codes: Map<string, string>, numberOf: (code: string) => number): string {
  let written = ''
  let from = 0
  const open: string[] = []
  const keyOf = (code: string) => {
    const key = codes.get(code) ?? `d${codes.size + 1}`
    codes.set(code, key)
    return key
  }
  const single = (code: string) => `<ph id="${numberOf(code)}" dataRef="${keyOf(code)}" disp="${attribute(code)}"/>`
  for (const match of markup.matchAll(line ? PLACEHOLDER : CODE)) {
    const [code] = match
    written += content(markup.slice(from, match.index))
    from = match.index + code.length
    const end = endOf(code)
    if (end !== null) {
      open.push(end)
      written += `<pc id="${numberOf(code)}" dataRefStart="${keyOf(code)}" dataRefEnd="${keyOf(end)}">`
    } else if (code.startsWith('</') && open.at(-1) === code) {
      open.pop()
      written += '</pc>'
    } else written += single(code)
  }
  return written + content(markup.slice(from)) + open.map(() => '</pc>').join('')
}

/** Numbers the codes of a unit: in the target, a code has the number that it has in the source. */
function createNumbers() {
  const given = new Map<string, number[]>()
  let last = 0
  return () => {
    const used = new Map<string, number>()
    return (code: string): number => {
      const numbers = given.get(code) ?? []
      const at = used.get(code) ?? 0
      used.set(code, at + 1)
      if (at === numbers.length) given.set(code, [...numbers, ++last])
      return given.get(code)?.[at] ?? last
    }
  }
}

const endOf = (code: string): string | null => {
  const [, tag] = /^<([bui]|a(?= ))/.exec(code) ?? []
  return tag === undefined ? null : `</${tag}>`
}

/** Characters that XML 1.0 does not allow are dropped: no parser accepts a file with them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters it is about
const FORBIDDEN = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g
const content = (text: string): string =>
  text
    .replace(FORBIDDEN, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
const attribute = (text: string): string => content(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;')

/** Without the namespace prefix. */
const bare = (name: string): string => name.slice(name.indexOf(':') + 1)

interface Unit {
  id: string
  data: Map<string, string>
  source: string
  target: string | null
}

/**
 * Parses the translations of an XLIFF 2 document: joins segments, and converts codes to the markup in the unit's
 * original data. Does not resolve entities of a document type.
 * @throws UnreadableFile for anything else, or if it is too large
 */
export function readXliff(xml: string): ReadFile {
  const entries: Entry[] = []
  const problems: string[] = []
  let language = ''
  let version = ''
  let flow: string | null = null
  let unit: Unit | null = null
  let into: 'source' | 'target' | 'data' | null = null
  let dataKey = ''
  const ends: string[] = []
  const add = (text: string) => {
    if (!unit || into === null) return
    if (into === 'data') unit.data.set(dataKey, (unit.data.get(dataKey) ?? '') + text)
    else if (into === 'source') unit.source += text
    else unit.target = (unit.target ?? '') + text
  }
  const codeOf = (key: string | undefined, shown: string | undefined) => unit?.data.get(key ?? '') ?? shown ?? ''
  const parser = new Parser(
    {
      onopentag(named, attributes) {
        const name = bare(named)
        switch (name) {
          case 'xliff':
            version = attributes.version ?? ''
            language = (attributes.trgLang ?? '').toLowerCase()
            break
          case 'file':
            flow = (attributes.id ?? '').replace(/^f-/, '') || null
            break
          case 'unit':
            unit = { id: attributes.id ?? '', data: new Map(), source: '', target: null }
            break
          case 'data':
            into = 'data'
            dataKey = attributes.id ?? ''
            break
          case 'source':
          case 'target':
            into = name
            break
          case 'ph':
          case 'sc':
          case 'ec':
            add(codeOf(attributes.dataRef, attributes.disp))
            break
          case 'pc':
            add(codeOf(attributes.dataRefStart, attributes.dispStart))
            ends.push(codeOf(attributes.dataRefEnd, attributes.dispEnd))
            break
          case 'cp':
            add(String.fromCodePoint(Math.min(Number.parseInt(attributes.hex ?? '0', 16) || 0, 0x10ffff)))
        }
      },
      ontext: add,
      onclosetag(named) {
        const name = bare(named)
        if (name === 'pc') add(ends.pop() ?? '')
        if (name === 'source' || name === 'target' || name === 'data') into = null
        if (name !== 'unit' || !unit) return
        const { id, source, target } = unit
        unit = null
        if (target === null || target.trim() === '') return
        if (entries.length >= exchangeCaps.entries)
          throw new UnreadableFile(
            `It has more than ${exchangeCaps.entries} translations; split it into several files.`,
          )
        entries.push({ flow, id, language, main: source, text: target })
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.write(xml)
  parser.end()
  if (version === '') throw new UnreadableFile('It is no XLIFF: there is no <xliff> in it.')
  if (!version.startsWith('2.')) throw new UnreadableFile(`It is XLIFF ${version}; export it as XLIFF 2.0.`)
  if (language === '') throw new UnreadableFile('It does not say its language: trgLang is missing.')
  return { entries, problems }
}
