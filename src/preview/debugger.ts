import type { z } from 'zod'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Json } from '../../engine/values/json'
import type { ChatMessage } from '../../server/contracts/chat'
import {
  continuePlayground,
  inspectPlaygroundStep,
  type PlaygroundDebug,
  readPlayground,
  rewindPlayground,
  type StepDetail,
  setPlaygroundVariables,
  startPlayground,
  stopPlayground,
  switchPlayground,
  type TestVisit,
} from '../../server/contracts/playground'
import { callRoute } from '../api/client'
import { failureText } from '../api/failure'
import { isNoAnswer } from '../api/serverWatch'
import type { ChatSession } from '../widget/conversation'
import { createClientId } from '../widget/transport'
import {
  type Breakpoint,
  keepBreakpoints,
  keepLook,
  keepValues,
  keptBreakpoints,
  keptLook,
  keptValues,
  type Look,
} from './remembered'

export interface Draft {
  pgid: string
  cgid: string
  /** the main flow */
  fid: string
  /** how it is shown until the tester chooses; absent: as on the web */
  usualLook?: Look
}

/** Where a test starts instead of at a trigger; without a block at the group's first one. */
export interface RunFrom {
  flowId: string | null
  groupId: string
  blockId?: string
}

export interface DebuggerState {
  debug: PlaygroundDebug | null
  /** the conversation's id; null before the first one */
  conversation: string | null
  /** all messages, including those after the turn being shown */
  messages: readonly ChatMessage[]
  /** the earlier turn being shown; null: the present */
  lookingAt: number | null
  /** whether the next turn pauses before each block, not just at breakpoints */
  stepping: boolean
  /** whether a request is running */
  busy: boolean
  /** why the last request failed */
  failure: string | null
  breakpoints: readonly Breakpoint[]
  look: Look
  from: RunFrom | null
  /** initial variables of runs from a place: by flow ('' for the main one) and variable */
  values: Readonly<Record<string, Record<string, Json>>>
}

/** What the open pane provides. */
export interface Attached {
  session: ChatSession
  /** resolves when the last edits are on the server; then the draft is frozen */
  ready: () => Promise<void>
  visit: () => TestVisit
  /** the present variables of a flow; null if unknown here */
  variablesOf: (flowId: string | null) => ReadonlySet<string> | null
  /** asks whether the turns after the shown one may be dropped */
  mayDrop: () => Promise<boolean>
}

type Answer = z.infer<typeof startPlayground.answer>
export type Debugger = ReturnType<typeof createDebugger>

/**
 * The test of a chatbot's draft: its run, breakpoints, and the shown moment. It outlives the pane, since breakpoints
 * can be set without it.
 */
export function createDebugger(draft: Draft) {
  const store: StoreApi<DebuggerState> = createStore<DebuggerState>(() => ({
    ...nothingRan,
    stepping: false,
    breakpoints: keptBreakpoints(draft.cgid),
    look: keptLook(draft.usualLook ?? 'web'),
    from: null,
    values: keptValues(draft.cgid),
  }))
  let attached: Attached | null = null
  /** the next test carries out changes from its start; the one after it does not */
  let actsNext = false
  /** resolves when all requests so far have been answered */
  let last: Promise<unknown> = Promise.resolve()
  /** number of unfinished requests */
  let under = 0

  const params = () => ({ ...draft, conversation: store.getState().conversation ?? '' })
  const pauses = (step = store.getState().stepping) => ({ step, at: [...store.getState().breakpoints] })

  /** Applies the server's state. @returns false if it is of an abandoned conversation */
  function take({ conversation, debug }: Answer): boolean {
    if (conversation.id !== store.getState().conversation) return false
    const known = new Map(store.getState().messages.map((message) => [message.seq, message]))
    for (const message of conversation.messages) known.set(message.seq, message)
    const end = debug.turns.at(-1)?.last_seq || Number.POSITIVE_INFINITY
    store.setState({
      debug,
      lookingAt: null,
      messages: [...known.values()].filter(({ seq }) => seq <= end).sort((a, b) => a.seq - b.seq),
    })
    return true
  }

  /** Serialises calls: a message sent while an earlier turn is being fetched must not go to the present. */
  function inTurn<Result>(call: () => Promise<Result>): Promise<Result> {
    const result = last.then(call)
    last = result.catch(() => {})
    return result
  }

  /** Runs actions one after another, so that a key pressed meanwhile is not lost; failures are shown in the pane. */
  async function doing<Result>(call: () => Promise<Result>): Promise<Result | null> {
    under += 1
    store.setState({ busy: true, failure: null })
    try {
      return await inTurn(call)
    } catch (failure) {
      store.setState({ failure: failureText(failure, String(failure)) })
      return null
    } finally {
      under -= 1
      store.setState({ busy: under > 0 })
    }
  }

  /** @param due checked before it runs: an earlier action may have made it unnecessary */
  async function change(call: () => Promise<Answer>, due: () => boolean = () => true): Promise<void> {
    await doing(async () => {
      if (!due() || !(await toPresent())) return
      const answer = await call()
      if (take(answer)) attached?.session.show(answer.conversation)
    })
  }

  /** If an earlier turn is shown, makes it the present. @returns false if the user declines */
  async function toPresent(): Promise<boolean> {
    const turn = store.getState().lookingAt
    if (turn === null) return true
    if (!(await attached?.mayDrop())) return false
    take(await callRoute(rewindPlayground, { params: params(), body: { turn } }))
    return true
  }

  const isPaused = () => store.getState().debug?.paused != null
  const isUnderWay = () => isPaused() || store.getState().debug?.active != null

  function valuesFor({ flowId }: RunFrom): Record<string, Json> {
    const known = attached?.variablesOf(flowId)
    const all = Object.entries(store.getState().values[flowId ?? ''] ?? {})
    return Object.fromEntries(all.filter(([id]) => !known || known.has(id)))
  }

  return {
    store,
    draft,
    params,
    pauses,
    take,
    toPresent,
    inTurn,
    isPaused,
    isUnderWay,

    /** Called when the pane opens. Returns a function for when it closes. */
    attach(pane: Attached): () => void {
      attached = pane
      return () => {
        attached = null
        last = Promise.resolve()
        store.setState(nothingRan)
      }
    },

    /** Starts a new conversation with the present draft. Throws what the call throws. */
    async begin(): Promise<Answer> {
      const { from } = store.getState()
      const acts = actsNext
      actsNext = false
      store.setState(nothingRan)
      await attached?.ready()
      const answer = await callRoute(startPlayground, {
        params: draft,
        body: {
          client_id: createClientId(),
          as: attached?.visit() ?? {},
          pauses: pauses(),
          ...(acts && { carry_out: true }),
          ...(from && {
            from: { flow_id: from.flowId, group_id: from.groupId, ...(from.blockId && { block_id: from.blockId }) },
            values: valuesFor(from),
          }),
        },
      }).catch((failure: unknown) => {
        // an unavailable server is already shown in the conversation
        if (!isNoAnswer(failure)) store.setState({ failure: failureText(failure, String(failure)) })
        throw failure
      })
      store.setState({ ...nothingRan, conversation: answer.conversation.id })
      take(answer)
      return answer
    },

    /** Called when the user closes the pane: the next test starts normally. */
    leave: () => store.setState({ from: null, stepping: false }),

    /** Starts again at the same place. */
    restart: () => void attached?.session.restart(),

    /** Whether the test's changes outside are carried out from now on. */
    switchActing: (on: boolean): Promise<void> =>
      change(() => callRoute(switchPlayground, { params: params(), body: { carry_out: on } })),

    /** Starts again at the same place, carrying out changes. */
    restartActing(): void {
      actsNext = true
      void attached?.session.restart()
    },

    /** Starts at a place, or with null where visitors start. Does not open the pane, which starts when it is shown. */
    runFrom(from: RunFrom | null): void {
      store.setState({ from })
      void attached?.session.restart()
    },

    setValues(flowId: string | null, values: Record<string, Json>): void {
      store.setState((state) => ({ values: { ...state.values, [flowId ?? '']: values } }))
      keepValues(draft.cgid, store.getState().values)
    },

    /** Continues to the next breakpoint or question, or with `step` through one block. */
    goOn(step: boolean): Promise<void> {
      return change(() => {
        store.setState({ stepping: step })
        return callRoute(continuePlayground, {
          params: params(),
          body: { turn: store.getState().debug?.turn ?? 0, pauses: pauses() },
        })
      }, isPaused)
    },

    setLook(look: Look): void {
      store.setState({ look })
      keepLook(look)
    },

    setStepping: (stepping: boolean) => store.setState({ stepping }),

    stop: () => change(() => callRoute(stopPlayground, { params: params() }), isUnderWay),

    /** @returns whether it was set; otherwise `failure` says why */
    async setVariable(id: string, value: Json): Promise<boolean> {
      await change(() => callRoute(setPlaygroundVariables, { params: params(), body: { values: { [id]: value } } }))
      return store.getState().failure === null
    },

    /** Shows an earlier turn, or with null the present. */
    async look(turn: number | null): Promise<void> {
      await doing(async () => {
        const past = turn === store.getState().debug?.turns.at(-1)?.turn ? null : turn
        const query = past === null ? {} : { turn: past }
        const answer = await callRoute(readPlayground, { params: params(), query })
        if (answer.conversation.id !== store.getState().conversation) return
        if (past === null) take(answer)
        else store.setState({ debug: answer.debug, lookingAt: past })
        attached?.session.show(answer.conversation)
      })
    },

    inspect: (turn: number, step: number): Promise<StepDetail> =>
      callRoute(inspectPlaygroundStep, { params: { ...params(), turn, step } }),

    /** Sets breakpoints on these blocks, or removes them if all have one. */
    toggleBreakpoints(blocks: readonly Breakpoint[]): void {
      const { breakpoints } = store.getState()
      const others = breakpoints.filter((one) => !blocks.some((block) => isSame(block, one)))
      const all = blocks.every((block) => breakpoints.some((one) => isSame(block, one)))
      this.setBreakpoints(all ? others : [...others, ...blocks])
    },

    setBreakpoints(breakpoints: readonly Breakpoint[]): void {
      store.setState({ breakpoints })
      keepBreakpoints(draft.cgid, breakpoints)
    },
  }
}

const nothingRan = { debug: null, conversation: null, messages: [], lookingAt: null, busy: false, failure: null }
const isSame = (a: Breakpoint, b: Breakpoint): boolean => a.blockId === b.blockId && a.flowId === b.flowId
