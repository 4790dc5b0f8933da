import { readFileSync, writeFileSync } from 'node:fs'
import { helpSigns } from '../../../server/modules/knowledge/evidence/weigh'
import { type Case, evidenceCases } from './evidence'
import { dot, evenLogistic, type Row } from './logistic'

const RIDGE = 10
const HELP_RIDGE = 20
/** Passages that are shown under "this may help", at least. */
const SHOWN = 2
/** What a question counts whose answer is not among these: refusing it is better than showing something else, but not by much. */
const MISSED = 0.25
const FOLDS = 3
/** The most of the answered questions that may be answered wrongly. */
const MOST_WRONG = 0.04
/** The most of the near misses that may be answered, and that may be shown something, from strict to lenient. */
const LIMITS = [
  { answered: 0.05, offered: 0.25 },
  { answered: 0.08, offered: 0.28 },
  { answered: 0.11, offered: 0.31 },
]

interface Learnt {
  /** of a passage's signs, of the signs of the likeliest passages; the first belongs to none */
  weights: number[]
  helps: number[]
}

/**
 * Learns what tells whether a passage answers, and whether the likeliest ones help. Prints the thresholds that hold for
 * sites that were not learnt from, one fold of the written sites after the other. @param file of a former run's cases, to be fast
 */
export async function learnEvidence(file = process.env.PARLEY_BENCH_CASES): Promise<Learnt> {
  const cases = await readCases(file)
  const groups = [...new Set(cases.map(({ group }) => group))]
  const foldOf = ({ group }: Case) => groups.indexOf(group) % FOLDS
  const told = Array.from({ length: FOLDS }, (_, fold) => {
    const learnt = learn(cases.filter((one) => foldOf(one) !== fold))
    return cases.filter((one) => one.isWritten && foldOf(one) === fold).map((one) => tell(one, learnt))
  }).flat()
  printThresholds(told)
  return learn(cases)
}

async function readCases(file: string | undefined): Promise<Case[]> {
  if (file === undefined) return evidenceCases()
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    const cases = await evidenceCases()
    writeFileSync(file, JSON.stringify(cases))
    return cases
  }
}

function learn(cases: readonly Case[]): Learnt {
  const found = cases.filter(({ signs }) => signs.length > 0)
  const passages = found.flatMap(({ signs, right, weight }): Row[] =>
    signs.map((list, at) => ({ signs: list, right: right[at] ? 1 : 0, share: weight })),
  )
  const weights = evenLogistic(passages, RIDGE)
  const questions = found.map((one): Row => {
    const judged = inOrder(one, weights)
    const isShown = judged.slice(0, SHOWN).some(({ right }) => right)
    const share = one.weight * (one.isAnswered && !isShown ? MISSED : 1)
    return { signs: helpSigns(judged), right: isShown ? 1 : 0, share }
  })
  return { weights, helps: evenLogistic(questions, HELP_RIDGE) }
}

const inOrder = ({ signs, right }: Case, weights: readonly number[]) =>
  signs
    .map((list, at) => ({ signs: list, odds: dot([1, ...list], weights), right: right[at] ?? false }))
    .sort((a, b) => b.odds - a.odds)

/** What is made of a question that was not learnt from. */
interface Told {
  isAnswered: boolean
  /** whether the first passage answers, and one of those that are shown */
  isRight: boolean
  isShown: boolean
  sure: number
  helpful: number
}

function tell(one: Case, { weights, helps }: Learnt): Told {
  const judged = inOrder(one, weights)
  return {
    isAnswered: one.isAnswered,
    isRight: judged[0]?.right ?? false,
    isShown: judged.slice(0, SHOWN).some(({ right }) => right),
    sure: judged[0]?.odds ?? Number.NEGATIVE_INFINITY,
    helpful: judged.length === 0 ? Number.NEGATIVE_INFINITY : dot([1, ...helpSigns(judged)], helps),
  }
}

function printThresholds(told: readonly Told[]): void {
  const answered = told.filter(({ isAnswered }) => isAnswered)
  const near = told.filter(({ isAnswered }) => !isAnswered)
  const wrong = answered.filter(({ isRight }) => !isRight)
  const share = (list: readonly Told[], is: (one: Told) => boolean) =>
    `${((100 * list.filter(is).length) / list.length).toFixed(1)} %`
  console.info('evidence/weigh.ts')
  console.table(
    LIMITS.map((limits) => {
      const sure = Math.max(
        leastAbove(near, limits.answered * near.length, (one) => one.sure),
        leastAbove(wrong, MOST_WRONG * answered.length, (one) => one.sure),
      )
      const isSure = (one: Told) => one.sure >= sure
      const unsure = near.filter((one) => !isSure(one))
      const helpful = leastAbove(unsure, limits.offered * near.length, (one) => one.helpful)
      const isOffered = (one: Told) => !isSure(one) && one.helpful >= helpful
      return {
        SURE: sure.toFixed(2),
        HELPFUL: helpful.toFixed(2),
        'right passage first, answered': share(answered, (one) => isSure(one) && one.isRight),
        'among two, offered': share(answered, (one) => isOffered(one) && one.isShown),
        'another, answered': share(answered, (one) => isSure(one) && !one.isRight),
        'others, offered': share(answered, (one) => isOffered(one) && !one.isShown),
        'right passage first': share(answered, ({ isRight }) => isRight),
        'near misses answered': share(near, isSure),
        'near misses offered': share(near, isOffered),
      }
    }),
  )
}

/** The least threshold that at most so many of a list reach. */
function leastAbove(list: readonly Told[], most: number, of: (one: Told) => number): number {
  const values = list.map(of).sort((a, b) => b - a)
  return (values[Math.floor(most)] ?? Number.NEGATIVE_INFINITY) + 1e-6
}
