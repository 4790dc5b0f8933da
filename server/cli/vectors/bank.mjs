// The bank of topics (asked/README.md): what organisations are asked, as visitors ask it and as pages say it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LANGUAGES = 'en|de|es|fr|it|nl|pl|pt'
const LINE = new RegExp(`^([>?]) (${LANGUAGES}) (\\S.*)$`)
/** A line is a sentence or two. */
const LONGEST = 400

/**
 * The topics of a folder, by file and in their order.
 * @param {string} folder
 * @returns {{ file: string, name: string, said: string[], asked: string[] }[]}
 * @throws {Error} naming the line that is of no form that the README has, or that stands there twice
 */
export function readBank(folder) {
  const topics = []
  const seen = new Set()
  const names = readdirSync(folder).filter((name) => name.endsWith('.txt'))
  for (const file of names.sort()) {
    const own = []
    for (const [at, line] of readFileSync(join(folder, file), 'utf8').split('\n').entries()) {
      const where = `${file}:${at + 1}`
      if (line === '' || line.startsWith('#')) continue
      if (line.length > LONGEST) throw new Error(`${where}: longer than ${LONGEST} characters.`)
      if (seen.has(line)) throw new Error(`${where}: stands there twice.`)
      seen.add(line)
      if (line.startsWith('= ')) {
        own.push({ file, name: line.slice(2), said: [], asked: [] })
        continue
      }
      const [, kind, , text] = LINE.exec(line) ?? []
      const topic = own.at(-1)
      if (!text || !topic) throw new Error(`${where}: neither a topic, nor what is said or asked of one.`)
      topic[kind === '>' ? 'said' : 'asked'].push(text)
    }
    const empty = own.find(({ said, asked }) => said.length === 0 || asked.length === 0)
    if (empty) throw new Error(`${file}: nothing is said, or asked, of “${empty.name}”.`)
    topics.push(...own)
  }
  return topics
}
