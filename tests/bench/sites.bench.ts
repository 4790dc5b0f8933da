import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, bench, describe } from 'vitest'
import { suggestionTexts } from '../../engine/values/suggestionTexts'
import type { ChatAnswer } from '../../server/contracts/answers'
import { visitorTexts } from '../../server/modules/agents/answering/visitorTexts'
import { startTestServer, type TestServer } from '../support/server'
import { sharedPath } from '../support/shared'
import { goalsOf, type Outcome } from './sites/goals'
import { TUNED } from './sites/indexSite'
import { readSites, type Site, type SiteQuestion, type Verdict } from './sites/readSites'
import { trainSite } from './sites/trainSite'

/**
 * What chatbots of small organisations answer without a key: `npm run bench -- sites [FOLDER]`, by default the eight
 * sites of the shared data. Thresholds are chosen on those of `TUNED`, weights are learnt from other sites; both halves
 * are printed.
 */
const folder = process.env.PARLEY_BENCH_FOLDER ?? sharedPath('data/sites')
const read = await readSites(folder)

let server: TestServer | undefined
afterAll(() => server?.close())

async function askAll(site: Site, verdict: (question: SiteQuestion, answer: string, refused: boolean) => Verdict) {
  server ??= await startTestServer()
  const { knowledge, answering } = server.parts
  const { place, pageOf } = await trainSite(server.context.db, knowledge, site)
  const language = await knowledge.language(place)
  let calls = 0
  const ask = async (question: string, before: { by: 'bot' | 'visitor'; text: string }[]) => {
    const request = { place, question, before, key: `${site.name}.${++calls}`, visitor: null }
    let answer: ChatAnswer | undefined
    for await (const part of answering.answer(request)) if (part.type === 'answer') answer = part.answer
    if (!answer) throw new Error(`No answer to '${question}'`)
    return answer
  }
  const outcomes: Outcome[] = []
  for (const question of site.questions) {
    const before = question.after
      ? [
          { by: 'visitor' as const, text: question.after },
          { by: 'bot' as const, text: (await ask(question.after, [])).text },
        ]
      : []
    const began = process.cpuUsage()
    const answer = await ask(question.q, before)
    const { user, system } = process.cpuUsage(began)
    // small talk finds nothing and is no refusal
    const refused = !answer.found
    const found = await knowledge.find(place, question.q)
    const pages = [...new Set(found.passages.map(({ source }) => pageOf.get(source.gid)))]
    outcomes.push({
      ...{ site: site.name, question, text: answer.text },
      verdict: verdict(question, answer.text, refused),
      offered: answer.debug?.zone === 'unsure',
      rank: question.page === null ? -1 : pages.indexOf(question.page),
      ...{ spoken: spokenIn(answer.text, language), language, ms: (user + system) / 1000 },
    })
  }
  return outcomes
}

/** The language of what an answer begins with if it is ours; if several have the same words, the expected one. */
function spokenIn(text: string, expected: string | null): string | null {
  const codes = [...visitorTexts].flatMap(([code, { mayHelp, notFound }]) =>
    [mayHelp, notFound, suggestionTexts(code).didYouMean].some((own) => text.startsWith(own)) ? code : [],
  )
  return codes.includes(expected ?? '') ? expected : (codes[0] ?? null)
}

function rowOf(name: string, all: readonly Outcome[]) {
  const share = (some: (one: Outcome) => boolean, of = all) =>
    of.length === 0 ? '' : Math.round((100 * of.filter(some).length) / of.length)
  const answerable = all.filter(({ question }) => question.answer !== null)
  const others = all.filter(({ question }) => question.answer === null)
  const is = (wanted: readonly Verdict[], offered: boolean) => (one: Outcome) =>
    wanted.includes(one.verdict) && one.offered === offered
  const bad = ['wrong', 'leaked', 'partly'] as const
  return {
    questions: name,
    number: answerable.length,
    'right %': share(is(['right'], false), answerable),
    'right, offered %': share(is(['right'], true), answerable),
    'wrong %': share(is(bad, false), answerable),
    'wrong, offered %': share(is(bad, true), answerable),
    'refused %': share(({ verdict }) => verdict === 'refused', answerable),
    'page R@1 %': share(({ rank }) => rank === 0, answerable),
    'R@3 %': share(({ rank }) => rank >= 0 && rank < 3, answerable),
    others: others.length,
    answered: others.filter(is(['wrong', 'leaked'], false)).length,
    offered: others.filter(is(['wrong', 'leaked'], true)).length,
    friendly: others.filter(({ verdict }) => verdict === 'look').length,
  }
}

async function run(): Promise<void> {
  if (!read) return
  const outcomes: Outcome[] = []
  for (const site of read.sites) outcomes.push(...(await askAll(site, read.verdict)))
  const kinds = [...new Set(outcomes.map(({ question }) => question.kind))]
  const isTuned = ({ site }: Outcome) => TUNED.includes(site)
  const rows = [
    rowOf('all', outcomes),
    rowOf('of sites tuned on', outcomes.filter(isTuned)),
    rowOf(
      'of the others',
      outcomes.filter((one) => !isTuned(one)),
    ),
    ...kinds.map((kind) =>
      rowOf(
        kind,
        outcomes.filter(({ question }) => question.kind === kind),
      ),
    ),
    ...read.sites.map(({ name }) =>
      rowOf(
        name,
        outcomes.filter(({ site }) => site === name),
      ),
    ),
  ]
  console.info(`${read.sites.length} sites of ${folder}; mean length of an answer ${meanLength(outcomes)} characters`)
  console.table(rows)
  const goals = goalsOf(outcomes)
  console.table(goals)
  console.info(JSON.stringify({ goals, rows }))
  const to = process.env.PARLEY_BENCH_OUTCOMES
  if (to) writeFileSync(join(to), JSON.stringify(outcomes, null, 1))
}

const meanLength = (outcomes: readonly Outcome[]): number => {
  const said = outcomes.filter(({ verdict }) => verdict !== 'refused')
  return Math.round(said.reduce((sum, { text }) => sum + text.length, 0) / Math.max(1, said.length))
}

describe.runIf(read !== null)('sites', () => {
  bench('answers', run, { iterations: 1, warmupIterations: 0, time: 0, warmupTime: 0 })
})
