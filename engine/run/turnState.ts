import { charge } from '../budget'
import { webCapabilities } from '../flow/capabilities'
import type { BotMessage, Cause, InputRequest, Listen, Reply, StayOpen } from '../flow/effects'
import { caps } from '../values/caps'
import type { Json } from '../values/json'
import type { Variables } from '../values/render'
import { plainRichText } from '../values/richText'
import { TRANSCRIPT } from '../values/systemVariables'
import { type Begun, CallStack } from './callStack'
import { detectsAlways, type Interruption } from './intents'
import type { Program, ProgramBlock } from './program'
import { type BlockRun, type Outcome, type RuntimeEffect, runBlock } from './runBlock'
import type { Place, Session, TraceStep, TurnResult } from './session'
import { TranscriptWriter } from './transcript'
import type { Watch } from './watch'

/** A turn that runs more blocks than this without asking is stopped. */
export const MAX_STEPS = 1_000
/** A turn that says more than this many characters (as JSON) is stopped after the block that does. */
const MAX_SAID = 1_000_000
/** What a step costs beside the work that its block does. */
const STEP = 200
/** What is asked when the flow has run out and intents can still interrupt. */
const OPEN_REQUEST: InputRequest = {
  input: 'text',
  long: false,
  placeholder: '',
  required: true,
  maxLength: caps.userMessage,
}
const OPEN_LISTEN: Listen = { intents: [], interruptible: true }
/** Shown to the editor at the block that exceeded the budget. */
const TOO_MUCH_WORK =
  'The turn was stopped: it took more work than one turn may. Ask something in between, or work on shorter texts and lists with fewer and simpler expressions, patterns and paths.'
/** Sent to a visitor whose text matches no intent while nothing else is asked. */
const NOT_UNDERSTOOD = 'Sorry, I did not understand that. Please say it in other words.'

/** Where to go on: at a block, or within one that has begun already. */
interface Entry {
  block: ProgramBlock
  cause?: Cause | null
  /** the session was paused before this block: don't pause again */
  paused?: boolean
  begun?: Begun
}

/** A running turn. The methods that return a result end it. */
export class TurnState {
  private readonly messages: TurnResult['messages'] = []
  private readonly trace: TraceStep[] = []
  private readonly stack: CallStack
  private entries: number
  private open: StayOpen | undefined
  private said = 0
  /** the running block, until its step is in the trace */
  private current: { block: ProgramBlock; run: BlockRun } | null = null
  private readonly transcript: TranscriptWriter

  constructor(
    private readonly program: Program,
    private readonly session: Session,
    private readonly watch: Watch = {},
  ) {
    this.stack = new CallStack(program, session)
    this.entries = session.entries
    this.open = session.open
    this.transcript = new TranscriptWriter(program.keepsTranscript)
  }

  /** Adds the visitor's message to the transcript, before it is handled. */
  hear(reply: Reply): void {
    this.transcript.visitor(reply, this.session.request)
  }

  /** Passes the reply to the waiting block; without one the block keeps waiting. */
  goOn(block: ProgramBlock, reply: Reply | null): Generator<RuntimeEffect, TurnResult, Json> {
    if (reply && reply.type !== 'timeout') this.stack.lastCutIn = null
    const { journal, said } = this.session
    return this.run({ block, begun: { journal, said, reply } })
  }

  /**
   * Continues at an intent's trigger. Its branch replaces the question, or precedes it if the intent resumes. An intent
   * of the main flow leaves the sub-flow, or precedes it. An intent that is already running starts again, and the
   * question that it interrupted first is asked again afterwards.
   */
  cutIn(interruption: Interruption): Generator<RuntimeEffect, TurnResult, Json> {
    this.stack.interrupt(interruption, this.session.at)
    return this.run({ block: interruption.trigger, cause: interruption.cause })
  }

  /** Runs block after block until one waits or nothing follows. */
  *run(first: Entry | null): Generator<RuntimeEffect, TurnResult, Json> {
    let entry = first ?? this.comeBack()
    for (let steps = 0; entry; steps++) {
      const { block, begun } = entry
      const at = this.stack.place(block)
      if (!begun && !entry.paused && this.watch.pausesAt?.(at)) return this.pause(at, entry.cause)
      const stopped = this.rail(block, steps, begun !== undefined)
      if (stopped) return this.finish({ status: 'ended', stopped: { reason: stopped, at } })
      if (block.runnable?.readsTranscript) this.transcript.write(this.stack.variables)
      const entryVariables: Variables = this.stack.variables.present
      this.watch.onStep?.(this.trace.length, entryVariables)
      const { run, outcome }: { run: BlockRun; outcome: Outcome } = yield* this.enter(entry)
      if (run.touchedWorld || begun?.reply) this.stack.forgetSeen()
      if (run.open) this.open = run.open
      if (outcome.type === 'endless') run.notes.push('The block never stopped; it was cut.')
      // assign fields one by one: V8 takes twenty times as long for fields after a spread, and this runs for each block
      const step: TraceStep = {
        flowId: at.flowId,
        groupId: at.groupId,
        blockId: at.blockId,
        kind: block.kind,
        port: outcome.type === 'left' ? outcome.port : null,
        messages: run.messages.length,
        writes: run.writes,
      }
      if (run.messages.length > 0) this.measure(run.messages)
      const following = this.follow(block, outcome, run, entryVariables)
      for (const message of run.messages) {
        this.messages.push({ blockId: block.id, ...message })
        this.transcript.bot(message)
      }
      this.trace.push(run.notes.length > 0 ? { ...step, note: run.notes.join(' ') } : step)
      this.current = null
      if (outcome.type === 'endless' || this.said > MAX_SAID) {
        return this.finish({ status: 'ended', stopped: { reason: 'step-limit', at } })
      }
      if (outcome.type === 'ended') return this.close()
      if (outcome.type === 'waits') {
        return this.finish({
          status: 'waiting',
          at: { groupId: at.groupId, blockId: at.blockId },
          variables: entryVariables,
          journal: run.journal,
          said: run.said,
          request: outcome.request,
          listen: outcome.listen,
        })
      }
      entry = following ? { block: following } : this.comeBack()
    }
    if (this.open) return this.stayOpen(this.open)
    return detectsAlways(this.program) ? this.listen() : this.end()
  }

  /** Handles a message that only `open`'s service gets, which has been called. */
  add(open: StayOpen): TurnResult {
    this.entries++
    return this.stayOpen(open)
  }

  /** Waits for further messages of the visitor. */
  stayOpen({ request }: StayOpen): TurnResult {
    this.stack.lastCutIn = null
    return this.finish({ status: 'waiting', request })
  }

  /** Adds to the number of characters said. */
  private measure(messages: readonly BotMessage[]): void {
    const size = JSON.stringify(messages).length
    charge(size)
    this.said += size
  }

  /** Waits for a text that matches an intent. */
  listen(): TurnResult {
    this.stack.lastCutIn = null
    return this.finish({ status: 'waiting', request: OPEN_REQUEST, listen: OPEN_LISTEN })
  }

  private comeBack(): Entry | null {
    return this.stack.comeBack((place) => this.note(place, 'The block to come back to is gone.'))
  }

  private pause({ groupId, blockId }: Place, cause: Cause | null | undefined): TurnResult {
    return this.finish({ status: 'paused', at: { groupId, blockId }, ...(cause && { cause }) })
  }

  misunderstand(): TurnResult {
    const message: BotMessage = { kind: 'text', text: plainRichText(NOT_UNDERSTOOD) }
    this.transcript.bot(message)
    this.messages.push({ ...message, blockId: '' })
    return this.listen()
  }

  /** Ends the flow. A conversation that is open for people stays so: only they or the visitor close it. */
  private close(): TurnResult {
    this.stack.frames.length = 0
    return this.open ? this.stayOpen(this.open) : this.end()
  }

  end(): TurnResult {
    return this.finish({ status: 'ended' })
  }

  note(at: Session['at'], note: string): void {
    const place = { flowId: this.stack.flow.id, ...(at ?? { groupId: '', blockId: '' }) }
    this.trace.push({ ...place, kind: '', port: null, messages: 0, writes: {}, note })
  }

  /** The budget is spent: ends the turn, and tells the editor which block was running. */
  giveUp(): TurnResult {
    const { block, run } = this.current ?? {}
    const at = block
      ? this.stack.place(block)
      : { flowId: this.stack.flow.id, ...(this.session.at ?? { groupId: '', blockId: '' }) }
    if (run && block) for (const message of run.messages) this.messages.push({ blockId: block.id, ...message })
    const { messages = [], writes = {} } = run ?? {}
    const note = [...(run?.notes ?? []), TOO_MUCH_WORK].join(' ')
    this.trace.push({ ...at, kind: block?.kind ?? '', port: null, messages: messages.length, writes, note })
    return this.finish({ status: 'ended', stopped: { reason: 'too-much-work', at } })
  }

  /** Runs a block. If its journal no longer fits, runs it from its start, as if it had just been entered. */
  private *enter(entry: Entry): Generator<RuntimeEffect, { run: BlockRun; outcome: Outcome }, Json> {
    const before = this.stack.variables.present
    const run = this.newRun(entry)
    const outcome = yield* runBlock(run, this.stack.flow, this.stack.variables)
    if (outcome.type !== 'diverged') return { run, outcome }
    this.stack.variables.restore(before)
    const again = this.newRun({ block: entry.block })
    again.notes.push('The block has changed since it asked; it was started again.')
    return { run: again, outcome: yield* runBlock(again, this.stack.flow, this.stack.variables) }
  }

  private newRun({ block, cause = null, begun }: Entry): BlockRun {
    // only the last entered block can wait; one that returns from another flow gets its own number, and so its own keys
    const isLast = begun && begun.journal === this.session.journal
    const run: BlockRun = {
      block,
      cause,
      languages: this.program.spoken(this.stack.variables.present.sys_language),
      journal: [...(begun?.journal ?? [])],
      delivered: begun?.said ?? 0,
      said: 0,
      reply: begun?.reply ?? null,
      hasBack: this.stack.frames.length > 0,
      channel: this.session.channel ?? webCapabilities,
      entry: isLast ? this.entries : ++this.entries,
      messages: [],
      writes: {},
      notes: [],
      open: null,
      touchedWorld: false,
      find: (flowId) => this.stack.find(flowId),
    }
    this.current = { block, run }
    return run
  }

  /** Whether a safety limit stops the flow before this block: too many steps, or a loop in which nothing can change. */
  private rail(block: ProgramBlock, steps: number, begun: boolean): 'step-limit' | 'cycle' | null {
    if (steps >= MAX_STEPS) return 'step-limit'
    charge(STEP)
    if (begun) return null
    return this.stack.isCycleAt(block) ? 'cycle' : null
  }

  /**
   * The next block after an outcome: by the edge of its port, otherwise by that of the port's fallback, otherwise the
   * block below in the group; null after the last. A block that could not run is skipped likewise.
   */
  private follow(block: ProgramBlock, outcome: Outcome, run: BlockRun, entryVariables: Variables): ProgramBlock | null {
    if (['waits', 'ended', 'endless', 'back'].includes(outcome.type)) return null
    if (outcome.type === 'jumped') return outcome.to.first
    if (outcome.type === 'enters') return this.stack.enter(block, outcome, run, entryVariables)
    if (outcome.type === 'visits') return this.stack.visit(block, outcome.to.first, run)
    if (outcome.type === 'failed') run.notes.push(outcome.reason)
    const ports = block.runnable?.ports
    const port = outcome.type === 'left' ? outcome.port : 'next'
    if (outcome.type === 'left' && !ports?.has(port))
      run.notes.push(`It left by '${port}', which is not one of its ports.`)
    const fallback = ports?.get(port)?.fallback
    const target = block.edges.get(port) ?? (fallback === undefined ? undefined : block.edges.get(fallback))
    if (!target) return block.below
    const resolved = this.stack.flow.resolve(target)
    if (resolved) return resolved.first
    run.notes.push('The edge leads to a block or group that is gone.')
    return block.below
  }

  private finish(end: Partial<Session> & Pick<Session, 'status'> & { stopped?: TurnResult['stopped'] }): TurnResult {
    const { stopped = null, ...session } = end
    this.transcript.write(this.stack.variables)
    const variables = { ...this.stack.variables.present }
    const goesOn = end.status !== 'ended'
    // a waiting block is re-run from the values at its entry, but its part of the transcript must not be lost
    const said = pick(variables, TRANSCRIPT)
    return {
      session: {
        at: null,
        flowId: goesOn ? this.stack.flow.id : null,
        variables,
        journal: [],
        said: 0,
        request: null,
        listen: null,
        cutIn: goesOn ? this.stack.lastCutIn : null,
        frames: goesOn ? this.stack.frames : [],
        entries: this.entries,
        ...(goesOn && this.open && { open: this.open }),
        ...(this.session.channel && { channel: this.session.channel }),
        ...session,
        ...(session.variables && { variables: { ...session.variables, ...said } }),
      },
      messages: this.messages,
      trace: this.trace,
      variables,
      stopped,
    }
  }
}

const pick = (variables: Variables, id: string): Record<string, Json> =>
  Object.hasOwn(variables, id) ? { [id]: variables[id] ?? null } : {}
