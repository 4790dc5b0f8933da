import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A question of a visitor; the format is that of the data's README. */
export interface SiteQuestion {
  q: string
  kind: string
  /** alternatives; null: the site does not answer it */
  answer: string[] | null
  /** a file of the pages, or `faq#n` */
  page: string | null
  /** the question before */
  after?: string
  also?: string[]
  bad?: string[]
}
export interface Site {
  name: string
  pages: { name: string; markdown: string }[]
  faq: { name: string; question: string; answer: string }[]
  questions: SiteQuestion[]
}
export type Verdict = 'right' | 'partly' | 'wrong' | 'leaked' | 'refused' | 'look'
type JudgeAnswer = (question: SiteQuestion, answer: string, refused: boolean) => Verdict

/** @returns the sites of a folder with the rule by which answers are scored; null: the folder is not there */
export async function readSites(folder: string): Promise<{ sites: Site[]; verdict: JudgeAnswer } | null> {
  if (!existsSync(join(folder, 'match.mjs'))) return null
  const { verdict } = (await import(join(folder, 'match.mjs'))) as { verdict: JudgeAnswer }
  return { sites: sitesIn(folder), verdict }
}

/** The sites of a folder, by name. */
export const sitesIn = (folder: string): Site[] =>
  readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'questions.json')))
    .sort()
    .map((name) => readSite(folder, name))

function readSite(folder: string, name: string): Site {
  const read = (...path: string[]) => readFileSync(join(folder, name, ...path), 'utf8')
  const [, ...entries] = readCsv(read('faq.csv'))
  return {
    name,
    pages: readdirSync(join(folder, name, 'pages')).map((page) => ({ name: page, markdown: read('pages', page) })),
    faq: entries.map(([question = '', answer = ''], at) => ({ name: `faq#${at + 1}`, question, answer })),
    questions: JSON.parse(read('questions.json')),
  }
}

/** The rows of a text as RFC 4180 has them. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, bare = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare)
    if (end !== ',') rows.push([])
  }
  return rows.filter((row) => row.length > 1)
}
