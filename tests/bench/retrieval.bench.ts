import { afterAll, beforeAll, bench, describe } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database'
import { miniSearch, postgres } from './retrieval/peers'
import { mistyped, ours, percent, recall, type Search, sentences, tellApart } from './retrieval/quality'
import { hasSets, squad, stackFaq, XQUAD, xquad } from './retrieval/sets'
import { large, manyChatbots, throughput } from './retrieval/speed'

/**
 * What is found for questions of public sets, beside MiniSearch and PostgreSQL's own ranks; what the built-in model makes of it; and
 * how fast. The sets are read where they lie, and parts that need them are left out without them.
 */
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const once = { iterations: 1, time: 0, warmupIterations: 0, warmupTime: 0 }

describe.runIf(hasSets)('quality', () => {
  bench(
    'passages',
    async () => {
      const cases = [
        { name: 'SQuAD', set: squad() },
        { name: 'SQuAD, typos', set: mistyped(squad()) },
        ...XQUAD.map((language) => ({ name: `XQuAD ${language}`, set: xquad(language) })),
        { name: 'StackFAQ', set: stackFaq(0) },
        { name: 'StackFAQ, 3 phrasings', set: stackFaq(3) },
      ]
      const rows: Record<string, string | number>[] = []
      for (const { name, set } of cases) {
        const { ts_rank, ts_rank_cd } = await postgres(database.db, set)
        const searches: Record<string, Search> = {
          ours: await ours(set),
          MiniSearch: await miniSearch(database.db, set),
          ts_rank,
          ts_rank_cd,
        }
        const row: Record<string, string | number> = {
          set: name,
          texts: set.texts.length,
          questions: set.questions.length,
        }
        for (const [peer, search] of Object.entries(searches)) {
          const { first, five } = await recall(search, set)
          row[peer] = `${percent(first)} / ${percent(five)}`
        }
        rows.push(row)
      }
      console.info('Percent of questions whose text is the first / among the first five')
      console.table(rows)
    },
    once,
  )

  bench(
    'answers of the built-in model',
    async () => {
      const rows = []
      for (const [name, set] of [
        ['SQuAD', squad()],
        ...XQUAD.map((one) => [`XQuAD ${one}`, xquad(one)] as const),
      ] as const) {
        const { inside, ms, count } = await sentences(set)
        rows.push({ set: name, questions: count, 'answer in 1 / 2 / 3 sentences': inside, 'CPU ms': ms.toFixed(2) })
      }
      console.info('Articles held out')
      console.table(rows)
    },
    once,
  )

  bench(
    "I don't know",
    async () => {
      for (const known of [true, false]) {
        const told = await tellApart(known)
        const names = [...new Set(told.map(({ name }) => name))]
        console.info(known ? 'Calibrated with questions in the language' : 'Calibrated with made-up questions')
        console.table(
          names.map((name) => {
            const own = told.filter((one) => one.name === name)
            const span = (of: (one: (typeof own)[number]) => number) => {
              const values = own.map(of).sort((a, b) => a - b)
              const [least, most] = [percent(values[0] ?? 0), percent(values.at(-1) ?? 0)]
              return least === most ? least : `${least} to ${most}`
            }
            return {
              chatbots: name,
              AUROC: span(({ auroc }) => auroc),
              'others answered': span(({ wrong }) => wrong),
              '"may help"': span(({ wrongMaybe }) => wrongMaybe),
              'own answered': span(({ right }) => right),
              'own "may help"': span(({ rightMaybe }) => rightMaybe),
            }
          }),
        )
      }
    },
    once,
  )
})

describe('speed', () => {
  bench('100,000 chunks in one chatbot', async () => console.table([await large(database.db)]), once)
  bench('1,000 chatbots', async () => console.table([await manyChatbots(database.db)]), once)
  if (hasSets) bench('10,000 questions at 16 callers', async () => console.table([await throughput(database.db)]), once)
})
