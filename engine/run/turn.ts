import { EngineError } from '../errors'
import type { StartEvent } from '../flow/defineBlock'
import type { Reply } from '../flow/effects'
import { cleanText } from '../values/cleanText'
import type { Json } from '../values/json'
import type { Variables } from '../values/render'
import type { Program, ProgramBlock } from './program'
import { type BlockRun, type HostEffect, type Outcome, runBlock } from './runBlock'
import type { JournalEntry, Session, TraceStep, TurnResult } from './session'
import { sameVariables, VariableStore } from './variables'

export type TurnInput = { type: 'start'; event: StartEvent } | { type: 'reply'; reply: Reply }

/** A flow that runs through more blocks than this without asking is stopped. */
export const MAX_STEPS = 1_000
/** A turn that says more than this many characters (as JSON) is stopped after the block that does. */
export const MAX_SAID = 1_000_000

/** A session before its first turn; `variables` are values that the host knows already, by variable id. */
export const newSession = (program: Program, variables: Variables = {}): Session => ({
  status: 'new',
  at: null,
  variables: { ...program.variables, ...variables },
  journal: [],
  said: 0,
  entries: 0,
  request: null,
})

/**
 * One turn: from an input to the next wait, or to the end. Pure: the session that comes in is not changed; all that the turn
 * needs from outside it yields. Repeating a turn with the same session, input and answers gives the same result.
 * Throws REPLY_UNEXPECTED when the input does not fit the session's status; nothing else, whatever the flow holds.
 */
export function* turn(program: Program, session: Session, input: TurnInput): Generator<HostEffect, TurnResult, Json> {
  if (session.status !== (input.type === 'start' ? 'new' : 'waiting')) {
    throw new EngineError('REPLY_UNEXPECTED', `Its status is '${session.status}'.`)
  }
  const state = new TurnState(program, session)
  if (input.type === 'start') {
    const entry = program.entry(input.event)
    if (!entry) state.note(null, 'Nothing starts this flow: it has no trigger that fits.')
    return yield* state.runFrom(entry)
  }
  const block = session.at ? program.blocks.get(session.at.blockId) : undefined
  if (!block) {
    state.note(session.at, 'The block that waited is gone; the conversation has ended.')
    return state.finish({ status: 'ended' })
  }
  return yield* state.runFrom(block, cleanReply(input.reply))
}

class TurnState {
  private readonly messages: TurnResult['messages'] = []
  private readonly trace: TraceStep[] = []
  private readonly variables: VariableStore
  private entries: number
  private said = 0
  /** the variables with which a block was last entered since the world changed */
  private readonly seen = new Map<string, Variables>()

  constructor(
    private readonly program: Program,
    private readonly session: Session,
  ) {
    this.variables = new VariableStore(session.variables)
    this.entries = session.entries
  }

  /** Goes from block to block until one waits or nothing follows. With a reply, the first block is the one that waited. */
  *runFrom(first: ProgramBlock | null, reply: Reply | null = null): Generator<HostEffect, TurnResult, Json> {
    let block = first
    for (let steps = 0; block; steps++) {
      const resumed = steps === 0 && reply !== null
      const at = { groupId: block.groupId, blockId: block.id }
      const stopped = resumed ? null : this.rail(block, steps)
      if (stopped) return this.finish({ status: 'ended', stopped: { reason: stopped, at } })
      const entryVariables: Variables = this.variables.present
      const { run, outcome }: { run: BlockRun; outcome: Outcome } = yield* this.enter(block, resumed ? reply : null)
      this.messages.push(...run.messages.map((message) => ({ ...message, blockId: at.blockId })))
      if (run.touchedWorld || resumed) this.seen.clear()
      const step: TraceStep = {
        ...at,
        kind: block.kind,
        port: outcome.type === 'left' ? outcome.port : null,
        messages: run.messages.length,
        writes: run.writes,
      }
      if (outcome.type === 'endless') run.notes.push('The block never stopped; it was cut.')
      const following = this.follow(block, outcome, run.notes)
      this.trace.push(run.notes.length > 0 ? { ...step, note: run.notes.join(' ') } : step)
      this.said += JSON.stringify(run.messages).length
      if (outcome.type === 'endless' || this.said > MAX_SAID) {
        return this.finish({ status: 'ended', stopped: { reason: 'step-limit', at } })
      }
      if (outcome.type === 'waits') {
        const { journal, said } = run
        return this.finish({
          status: 'waiting',
          at,
          variables: entryVariables,
          journal,
          said,
          request: outcome.request,
        })
      }
      block = following
    }
    return this.finish({ status: 'ended' })
  }

  /** Runs a block; one whose journal no longer fits is run again from its start, as if it had just been entered. */
  private *enter(
    block: ProgramBlock,
    reply: Reply | null,
  ): Generator<HostEffect, { run: BlockRun; outcome: Outcome }, Json> {
    const before = this.variables.present
    const run = this.newRun(block, reply ? this.session.journal : [], reply)
    const outcome = yield* runBlock(run, this.program, this.variables)
    if (outcome.type !== 'diverged') return { run, outcome }
    this.variables.restore(before)
    const again = this.newRun(block, [], null)
    again.notes.push('The block has changed since it asked; it was started again.')
    return { run: again, outcome: yield* runBlock(again, this.program, this.variables) }
  }

  private newRun(block: ProgramBlock, journal: readonly JournalEntry[], reply: Reply | null): BlockRun {
    return {
      block,
      journal: [...journal],
      delivered: reply ? this.session.said : 0,
      said: 0,
      reply,
      entry: reply ? this.entries : ++this.entries,
      messages: [],
      writes: {},
      notes: [],
      touchedWorld: false,
    }
  }

  /** Whether a safety rail stops the flow before this block: too many steps, or a loop in which nothing can change. */
  private rail(block: ProgramBlock, steps: number): 'step-limit' | 'cycle' | null {
    if (steps >= MAX_STEPS) return 'step-limit'
    const before = this.seen.get(block.id)
    if (before && sameVariables(before, this.variables.present)) return 'cycle'
    this.seen.set(block.id, this.variables.present)
    return null
  }

  /**
   * Where a block's outcome leads: by the edge of its port, else by that of the port's fallback, else to the block below in
   * the group; null after the last. A block that could not run is passed over in the same way.
   */
  private follow(block: ProgramBlock, outcome: Outcome, notes: string[]): ProgramBlock | null {
    if (outcome.type === 'waits' || outcome.type === 'ended' || outcome.type === 'endless') return null
    if (outcome.type === 'jumped') return outcome.to.first
    if (outcome.type === 'failed') notes.push(outcome.reason)
    const ports = block.runnable?.ports
    const port = outcome.type === 'left' ? outcome.port : 'next'
    if (outcome.type === 'left' && !ports?.has(port)) notes.push(`It left by '${port}', which is not one of its ports.`)
    const fallback = ports?.get(port)?.fallback
    const target = block.edges.get(port) ?? (fallback === undefined ? undefined : block.edges.get(fallback))
    if (!target) return block.below
    const resolved = this.program.resolve(target)
    if (resolved) return resolved.first
    notes.push('The edge leads to a block or group that is gone.')
    return block.below
  }

  note(at: Session['at'], note: string): void {
    this.trace.push({ ...(at ?? { groupId: '', blockId: '' }), kind: '', port: null, messages: 0, writes: {}, note })
  }

  finish(end: Partial<Session> & Pick<Session, 'status'> & { stopped?: TurnResult['stopped'] }): TurnResult {
    const { stopped = null, ...session } = end
    const variables = { ...this.variables.present }
    return {
      session: { at: null, variables, journal: [], said: 0, request: null, entries: this.entries, ...session },
      messages: this.messages,
      trace: this.trace,
      variables,
      stopped,
    }
  }
}

const cleanReply = (reply: Reply): Reply =>
  reply.type === 'text' ? { type: 'text', text: cleanText(reply.text) } : reply
