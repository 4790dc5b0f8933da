import { expect, test } from 'vitest'
import type { Choices } from '../../../server/contracts/integrations'
import { type AskChoices, type ListState, watchChoices } from './sharedChoices'

const of = { connection: 'c', list: 'columns', within: ['s', '0'], search: '' } as const
const listOf = (within: string[] = [...of.within]) => ({ ...of, within })
const answer = (label: string): Choices => ({ choices: [{ id: label, label }], fetched_at: null, problem: null })

/** Answers when it is told to. */
function asked() {
  const calls: { reload: boolean; signal: AbortSignal; answer: (given: Choices) => void; fail: (e: Error) => void }[] =
    []
  const ask: AskChoices = (_connection, { reload }, signal) =>
    new Promise((answer, fail) => calls.push({ reload, signal, answer, fail }))
  return { ask, calls }
}
const labels = (states: ListState[]) => states.at(-1)?.answer?.choices.map(({ label }) => label)
const settled = () => new Promise((done) => setImmediate(done))

test('fifty fields with one list make one call, and each is told the answer', async () => {
  const { ask, calls } = asked()
  const seen = Array.from({ length: 50 }, () => [] as ListState[])
  for (const states of seen) watchChoices(ask, listOf(), (state) => states.push(state))
  watchChoices(ask, listOf(['other', '0']), () => {})
  expect(calls).toHaveLength(2)
  calls[0]?.answer(answer('Name'))
  await settled()
  for (const states of seen) expect(labels(states)).toEqual(['Name'])
})

test('one that is reloaded is so for all, and an older answer is no longer taken', async () => {
  const { ask, calls } = asked()
  const seen: ListState[] = []
  watchChoices(ask, listOf(), (state) => seen.push(state))
  const { reload } = watchChoices(ask, listOf(), () => {})
  reload()
  expect(calls.map((call) => call.reload)).toEqual([false, true])
  expect(calls[0]?.signal.aborted).toBe(true)
  calls[1]?.answer(answer('New'))
  calls[0]?.answer(answer('Old'))
  await settled()
  expect(labels(seen)).toEqual(['New'])
})

test('what fails keeps what was seen last, and the last who leaves ends the call', async () => {
  const { ask, calls } = asked()
  const seen: ListState[] = []
  const one = watchChoices(ask, listOf(), (state) => seen.push(state))
  const other = watchChoices(ask, listOf(), () => {})
  calls[0]?.answer(answer('Name'))
  await settled()
  one.reload()
  calls[1]?.fail(new Error('away'))
  await settled()
  expect(labels(seen)).toEqual(['Name'])
  expect(seen.at(-1)?.error?.cause).toEqual(new Error('away'))
  one.reload()
  one.leave()
  expect(calls[2]?.signal.aborted).toBe(false)
  other.leave()
  expect(calls[2]?.signal.aborted).toBe(true)
  watchChoices(ask, listOf(), () => {})
  expect(calls[3]?.reload).toBe(false)
})
