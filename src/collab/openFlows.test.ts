import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import type { FlowState, OpenFlow } from './flowState'
import type { OfflineState } from './offline'
import { createOpenFlows } from './openFlows'

const span = { edits: 2, since: 0 }

/** A fake open flow. */
function fake() {
  const store = createStore(() => ({ refusal: null }) as FlowState)
  const offline = createStore(() => ({ unsent: null, keeping: 'all' }) as OfflineState)
  const close = vi.fn()
  const hurry = vi.fn()
  const flow = { store, offline: { store: offline, hurry }, close } as unknown as OpenFlow
  return { flow, store, offline, close, hurry }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a screen that is taken away for a moment finds the same flow again', () => {
  const flows = createOpenFlows(100)
  const { flow, close } = fake()
  flows.take('a', () => flow).giveBack()
  vi.advanceTimersByTime(50)
  const again = flows.take('a', () => fake().flow)
  expect(again.flow).toBe(flow)
  vi.advanceTimersByTime(1_000)
  expect(close).not.toHaveBeenCalled()
  again.giveBack()
  again.giveBack()
  vi.advanceTimersByTime(1_000)
  expect(close).toHaveBeenCalledTimes(1)
})

test('a flow that nobody shows stays open until what was done in it is stored', () => {
  const flows = createOpenFlows(100)
  const { flow, offline, close } = fake()
  const taken = flows.take('a', () => flow)
  offline.setState({ unsent: span, keeping: 'all' })
  taken.giveBack()
  vi.advanceTimersByTime(60_000)
  expect(close).not.toHaveBeenCalled()
  expect(flows.hasUnsent()).toBe(true)
  offline.setState({ unsent: null })
  vi.advanceTimersByTime(200)
  expect(close).toHaveBeenCalledTimes(1)
})

test('one that was refused closes once its edits are kept, and is opened anew', () => {
  const flows = createOpenFlows(100)
  const { flow, store, offline, close } = fake()
  const taken = flows.take('a', () => flow)
  offline.setState({ unsent: span, keeping: 'refused' })
  store.setState({ refusal: 'logged-out' })
  taken.giveBack()
  vi.advanceTimersByTime(1_000)
  expect(close).not.toHaveBeenCalled()
  expect(flows.inTabAlone()).toBe(2)
  offline.setState({ keeping: 'all' })
  const anew = fake()
  expect(flows.take('a', () => anew.flow).flow).toBe(anew.flow)
  expect(close).toHaveBeenCalledTimes(1)
})

test('when the account leaves, all close: at once, or as soon as they are no longer shown', () => {
  const flows = createOpenFlows(100)
  const [hidden, shown] = [fake(), fake()]
  hidden.offline.setState({ unsent: span, keeping: 'soon' })
  flows.take('hidden', () => hidden.flow).giveBack()
  const taken = flows.take('shown', () => shown.flow)
  flows.closeAll()
  expect(hidden.hurry).toHaveBeenCalled()
  expect(hidden.close).toHaveBeenCalledTimes(1)
  expect(shown.close).not.toHaveBeenCalled()
  taken.giveBack()
  expect(shown.close).toHaveBeenCalledTimes(1)
})
