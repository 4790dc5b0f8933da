import { expect, test, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { registry } from '../../blocks/registry'
import type { EditStore } from './editStore'
import type { FlowState, OpenFlow } from './flowState'
import type { OfflineState } from './offline'
import { createOpenFlows } from './openFlows'
import { takeFlow } from './takeFlow'

const span = { edits: 1, since: 0 }

/** A flow with an edit that the server lacks, as it is when a connection was lost. */
function edited(): OpenFlow {
  const store = createStore(() => ({ refusal: null, readOnly: false }) as FlowState)
  const offline = createStore(() => ({ unsent: span, keeping: 'all', stranded: null }) as OfflineState)
  return { store, offline: { store: offline, hurry: vi.fn() }, close: vi.fn() } as unknown as OpenFlow
}

const keep = { user: 'ed', store: {} as EditStore, place: { pgid: 'p', cgid: 'c', name: 'Bot' } }

test('edits that can’t be saved stay on the screen, whichever tells first that one may only read: HTTP or the socket', () => {
  for (const first of ['http', 'socket'] as const) {
    const flows = createOpenFlows(0)
    const open = vi.fn(edited)
    const take = (readOnly: boolean) =>
      takeFlow({ room: 'flow', readOnly, registry, person: undefined, keep }, flows, open)
    const shown = take(false)
    const refuse = () => {
      shown.flow.store.setState({ readOnly: true })
      shown.flow.offline.store.setState({ stranded: span })
    }
    if (first === 'socket') refuse()
    // what the screen does when the room is read again: the new one is taken before the old one is given back
    const next = take(true)
    shown.giveBack()
    if (first === 'http') refuse()
    expect(next.flow.offline.store.getState().stranded, first).toEqual(span)
    expect(open, first).toHaveBeenCalledTimes(1)
    expect(next.flow.close, first).not.toHaveBeenCalled()
  }
})

test('another account of the same browser has its own flow, and so has another room', () => {
  const flows = createOpenFlows(0)
  const take = (user: string, room: string) =>
    takeFlow({ room, readOnly: false, registry, person: undefined, keep: { ...keep, user } }, flows, edited).flow
  expect(new Set([take('ed', 'one'), take('ada', 'one'), take('ed', 'two'), take('ed', 'one')]).size).toBe(3)
})
