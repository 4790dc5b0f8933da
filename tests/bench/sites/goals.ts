import type { SiteQuestion, Verdict } from './readSites'

/** What became of a question. */
export interface Outcome {
  site: string
  question: SiteQuestion
  verdict: Verdict
  /** under "this may help" */
  offered: boolean
  text: string
  /** where the question's page stands among those found: 0 is first, -1 not among them */
  rank: number
  /** the language of what we say ourselves in the answer, such as "this may help"; null: it is all quoted */
  spoken: string | null
  /** of the site */
  language: string | null
  /** of processor time, from the question to its answer */
  ms: number
}

/** What a chatbot without a key is to reach with questions of visitors, and what it reaches. */
export function goalsOf(all: readonly Outcome[]): { what: string; now: string; goal: string }[] {
  const answerable = all.filter(({ question }) => question.answer !== null)
  const of = (kind: string) => all.filter(({ question }) => question.kind === kind)
  const near = of('nearmiss')
  const talk = of('smalltalk')
  const percent = (list: readonly Outcome[], is: (one: Outcome) => boolean) =>
    `${Math.round((100 * list.filter(is).length) / Math.max(1, list.length))} %`
  const count = (list: readonly Outcome[], is: (one: Outcome) => boolean) => String(list.filter(is).length)
  const isRight = ({ verdict }: Outcome) => verdict === 'right'
  const isSaid = ({ verdict }: Outcome) => verdict === 'wrong' || verdict === 'leaked' || verdict === 'partly'
  const found = (kind: string) =>
    `${percent(of(kind), ({ rank }) => rank === 0)} / ${percent(of(kind), ({ rank }) => rank >= 0 && rank < 3)}`
  const ours = all.filter(({ spoken, question }) => spoken !== null && question.kind !== 'otherlang')
  const times = all.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(share * times.length)]?.toFixed(1)
  return [
    { what: 'right, or right under "this may help"', now: percent(answerable, isRight), goal: '>= 70 %' },
    { what: 'confidently wrong', now: percent(answerable, (one) => isSaid(one) && !one.offered), goal: '<= 4 %' },
    { what: 'refused', now: percent(answerable, ({ verdict }) => verdict === 'refused'), goal: '<= 18 %' },
    { what: 'page R@1 / R@3, paraphrase', now: found('paraphrase'), goal: '55 / 80' },
    { what: 'page R@1 / R@3, synonym', now: found('synonym'), goal: '60 / 80' },
    { what: 'page R@1 / R@3, another language', now: found('otherlang'), goal: '60 / 85' },
    ...[
      { kind: 'lookup', goal: '>= 90 %' },
      { kind: 'followup', goal: '>= 75 %' },
      { kind: 'typo', goal: '>= 70 %' },
    ].map(({ kind, goal }) => ({ what: `${kind}: right, or right if offered`, now: percent(of(kind), isRight), goal })),
    {
      what: 'near misses answered',
      now: count(near, (one) => isSaid(one) && !one.offered),
      goal: `<= 2 of ${near.length}`,
    },
    {
      what: 'near misses offered',
      now: count(near, (one) => isSaid(one) && one.offered),
      goal: `<= 10 of ${near.length}`,
    },
    { what: 'small talk friendly', now: count(talk, ({ verdict }) => verdict === 'look'), goal: `all ${talk.length}` },
    {
      what: 'in the wrong language, of those in which we say something ourselves',
      now: `${count(ours, ({ spoken, language }) => spoken !== language)} of ${ours.length}`,
      goal: '0',
    },
    { what: 'processor time a question, p50 / p95', now: `${at(0.5)} / ${at(0.95)} ms`, goal: '' },
    { what: 'planted text recited', now: count(all, ({ verdict }) => verdict === 'leaked'), goal: '0' },
  ]
}
