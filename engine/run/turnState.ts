import { charge } from '../budget'
import type { BotMessage, Cause, InputRequest, Listen, Reply, StayOpen } from '../flow/effects'
import { caps } from '../values/caps'
import type { Json } from '../values/json'
import type { Variables } from '../values/render'
import { plainRichText } from '../values/richText'
import { TRANSCRIPT } from '../values/systemVariables'
import { type Heard, hearsAlways } from './intents'
import type { FlowProgram, Program, ProgramBlock } from './program'
import { type BlockRun, type HostEffect, type Outcome, runBlock } from './runBlock'
import type { Frame, JournalEntry, Place, Session, TraceStep, TurnResult } from './session'
import { TranscriptWriter } from './transcript'
import { ownPart, sameVariables, systemPart, VariableStore } from './variables'

/** A turn that runs through more blocks than this without asking is stopped. */
export const MAX_STEPS = 1_000
/** A turn that says more than this many characters (as JSON) is stopped after the block that does. */
export const MAX_SAID = 1_000_000
/** What a step costs beside the work that its block does. */
const STEP = 200
/** Flows entered within each other; deeper ones are not entered. */
export const MAX_DEPTH = 10
/** Parts of a flow that wait for one another to come back; what is deeper is gone to for good. */
export const MAX_VISITS = 50

/** What is asked when the flow has run out and intents are still heard. */
const OPEN_REQUEST: InputRequest = {
  input: 'text',
  long: false,
  placeholder: '',
  required: true,
  maxLength: caps.userMessage,
}
const OPEN_LISTEN: Listen = { intents: [], interruptible: true }
/** Told to the editor at the block that had no work left. */
const TOO_MUCH_WORK =
  'The turn was stopped: it took more work than one turn may. Ask something in between, or work on shorter texts and lists with fewer and simpler expressions, patterns and paths.'
/** Said to a visitor whose words fit no intent while nothing else is asked. */
const NOT_UNDERSTOOD = 'Sorry, I did not understand that. Please say it in other words.'

/** Who looks on at a turn, for people who debug a flow. */
export interface Watch {
  /** whether the turn is to end before this block, which has not begun */
  pausesAt?: (place: Place) => boolean
  /** told before each step, by its number in the trace, what the variables are then */
  onStep?: (step: number, variables: Variables) => void
}

/** Where to go on: at a block, or within one that has begun already. */
interface Entry {
  block: ProgramBlock
  cause?: Cause | null
  /** it was paused before this block: that is over */
  paused?: boolean
  begun?: { journal: readonly JournalEntry[]; said: number; reply: Reply | null }
}

/** A turn under way. Its methods that give a result end it. */
export class TurnState {
  private readonly messages: TurnResult['messages'] = []
  private readonly trace: TraceStep[] = []
  private readonly frames: Frame[]
  private flow: FlowProgram
  private variables: VariableStore
  private entries: number
  private lastCutIn: string | null
  private open: StayOpen | undefined
  private said = 0
  /** the block under way, until its step stands in the trace */
  private current: { block: ProgramBlock; run: BlockRun } | null = null
  /** the variables with which a block of this flow was last entered since the world changed; those of outer flows below */
  private seen = new Map<string, Variables>()
  private readonly outerSeen: Map<string, Variables>[] = []
  private readonly transcript: TranscriptWriter

  constructor(
    private readonly program: Program,
    private readonly session: Session,
    private readonly watch: Watch = {},
  ) {
    this.frames = [...session.frames]
    this.flow = program.flow(session.flowId) ?? program
    this.variables = new VariableStore(session.variables, keptIn(this.frames))
    this.entries = session.entries
    this.lastCutIn = session.cutIn
    this.open = session.open
    this.transcript = new TranscriptWriter(program.keepsTranscript)
  }

  /** What the visitor said, before anything comes of it. */
  hear(reply: Reply): void {
    this.transcript.visitor(reply, this.session.request)
  }

  /** Gives the block that waits its reply; without one it waits on. */
  goOn(block: ProgramBlock, reply: Reply | null): Generator<HostEffect, TurnResult, Json> {
    if (reply && reply.type !== 'timeout') this.lastCutIn = null
    const { journal, said } = this.session
    return this.run({ block, begun: { journal, said, reply } })
  }

  /**
   * Goes on at the trigger of an intent. Its branch takes the place of the question, or comes before it, when the intent resumes.
   * An intent of the main flow leaves the sub-flow, or comes before it. An intent that is under way begins anew, and the question
   * that it cut in on first is the one that is asked again.
   */
  cutIn({ trigger, flow, intent, cause }: Heard): Generator<HostEffect, TurnResult, Json> {
    const elsewhere = flow.id !== this.flow.id
    const isUnderWay = this.frames.some((frame) => frame.type === 'again' && frame.by === trigger.id)
    const level = this.frames.findLastIndex((frame) => frame.type === 'flow' && frame.flowId === flow.id)
    const outer = this.frames[level]
    if (intent.resumes && this.session.at && !isUnderWay) {
      const variables = elsewhere ? ownPart(this.variables.present) : null
      this.frames.push({ type: 'again', flowId: this.flow.id, ...this.session.at, by: trigger.id, variables })
    } else if (elsewhere) this.frames.length = Math.max(0, level)
    if (elsewhere) this.switchTo(flow, outer?.type === 'flow' ? outer.variables : flow.variables)
    this.lastCutIn = trigger.id
    return this.run({ block: trigger, cause })
  }

  /** Goes from block to block until one waits or nothing follows. */
  *run(first: Entry | null): Generator<HostEffect, TurnResult, Json> {
    let entry = first ?? this.comeBack()
    for (let steps = 0; entry; steps++) {
      const { block, begun } = entry
      const at = this.place(block)
      if (!begun && !entry.paused && this.watch.pausesAt?.(at)) return this.pause(at, entry.cause)
      const stopped = this.rail(block, steps, begun !== undefined)
      if (stopped) return this.finish({ status: 'ended', stopped: { reason: stopped, at } })
      if (block.runnable?.readsTranscript) this.transcript.write(this.variables)
      const entryVariables: Variables = this.variables.present
      this.watch.onStep?.(this.trace.length, entryVariables)
      const { run, outcome }: { run: BlockRun; outcome: Outcome } = yield* this.enter(entry)
      if (run.touchedWorld || begun?.reply) this.forgetSeen()
      if (run.open) this.open = run.open
      if (outcome.type === 'endless') run.notes.push('The block never stopped; it was cut.')
      // field by field: V8 takes twenty times as long for fields after a spread, and this runs for each block
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
    return hearsAlways(this.program) ? this.listen() : this.end()
  }

  /** Takes what the visitor says to nobody but `open`'s service, which was told. */
  add(open: StayOpen): TurnResult {
    this.entries++
    return this.stayOpen(open)
  }

  /** Waits for more of what the visitor has to say. */
  stayOpen({ request }: StayOpen): TurnResult {
    this.lastCutIn = null
    return this.finish({ status: 'waiting', request })
  }

  /** Adds to what was said. */
  private measure(messages: readonly BotMessage[]): void {
    const size = JSON.stringify(messages).length
    charge(size)
    this.said += size
  }

  /** Waits for a text that fits an intent. */
  listen(): TurnResult {
    this.lastCutIn = null
    return this.finish({ status: 'waiting', request: OPEN_REQUEST, listen: OPEN_LISTEN })
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

  /** A flow closes its own part alone: a conversation that is open for people is theirs, or the visitor's, to close. */
  private close(): TurnResult {
    this.frames.length = 0
    return this.open ? this.stayOpen(this.open) : this.end()
  }

  end(): TurnResult {
    return this.finish({ status: 'ended' })
  }

  note(at: Session['at'], note: string): void {
    const place = { flowId: this.flow.id, ...(at ?? { groupId: '', blockId: '' }) }
    this.trace.push({ ...place, kind: '', port: null, messages: 0, writes: {}, note })
  }

  /** The turn has no work left: it ends where it is, and the editor is told what was under way. */
  giveUp(): TurnResult {
    const { block, run } = this.current ?? {}
    const at = block
      ? this.place(block)
      : { flowId: this.flow.id, ...(this.session.at ?? { groupId: '', blockId: '' }) }
    if (run && block) for (const message of run.messages) this.messages.push({ blockId: block.id, ...message })
    const { messages = [], writes = {} } = run ?? {}
    const note = [...(run?.notes ?? []), TOO_MUCH_WORK].join(' ')
    this.trace.push({ ...at, kind: block?.kind ?? '', port: null, messages: messages.length, writes, note })
    return this.finish({ status: 'ended', stopped: { reason: 'too-much-work', at } })
  }

  /** Runs a block; one whose journal no longer fits is run again from its start, as if it had just been entered. */
  private *enter(entry: Entry): Generator<HostEffect, { run: BlockRun; outcome: Outcome }, Json> {
    const before = this.variables.present
    const run = this.newRun(entry)
    const outcome = yield* runBlock(run, this.flow, this.variables)
    if (outcome.type !== 'diverged') return { run, outcome }
    this.variables.restore(before)
    const again = this.newRun({ block: entry.block })
    again.notes.push('The block has changed since it asked; it was started again.')
    return { run: again, outcome: yield* runBlock(again, this.flow, this.variables) }
  }

  private newRun({ block, cause = null, begun }: Entry): BlockRun {
    // only the block that was entered last can wait; one that comes back from another flow gets a number, and so keys, of its own
    const isLast = begun && begun.journal === this.session.journal
    const run: BlockRun = {
      block,
      cause,
      journal: [...(begun?.journal ?? [])],
      delivered: begun?.said ?? 0,
      said: 0,
      reply: begun?.reply ?? null,
      hasBack: this.frames.length > 0,
      entry: isLast ? this.entries : ++this.entries,
      messages: [],
      writes: {},
      notes: [],
      open: null,
      touchedWorld: false,
      find: (flowId) => {
        if (this.frames.filter(({ type }) => type === 'flow').length >= MAX_DEPTH)
          return `Flows are entered at most ${MAX_DEPTH} deep; this one was not.`
        return this.program.flow(flowId) ?? `The flow '${flowId}' is gone.`
      },
    }
    this.current = { block, run }
    return run
  }

  /** Whether a safety rail stops the flow before this block: too many steps, or a loop in which nothing can change. */
  private rail(block: ProgramBlock, steps: number, begun: boolean): 'step-limit' | 'cycle' | null {
    if (steps >= MAX_STEPS) return 'step-limit'
    charge(STEP)
    if (begun) return null
    const before = this.seen.get(block.id)
    if (before && sameVariables(before, this.variables.present)) return 'cycle'
    this.seen.set(block.id, this.variables.present)
    return null
  }

  /**
   * Where a block's outcome leads: by the edge of its port, else by that of the port's fallback, else to the block below in
   * the group; null after the last. A block that could not run is passed over in the same way.
   */
  private follow(block: ProgramBlock, outcome: Outcome, run: BlockRun, entryVariables: Variables): ProgramBlock | null {
    if (['waits', 'ended', 'endless', 'back'].includes(outcome.type)) return null
    if (outcome.type === 'jumped') return outcome.to.first
    if (outcome.type === 'enters') return this.goInto(block, outcome, run, entryVariables)
    if (outcome.type === 'visits') return this.visit(block, outcome.to.first, run)
    if (outcome.type === 'failed') run.notes.push(outcome.reason)
    const ports = block.runnable?.ports
    const port = outcome.type === 'left' ? outcome.port : 'next'
    if (outcome.type === 'left' && !ports?.has(port))
      run.notes.push(`It left by '${port}', which is not one of its ports.`)
    const fallback = ports?.get(port)?.fallback
    const target = block.edges.get(port) ?? (fallback === undefined ? undefined : block.edges.get(fallback))
    if (!target) return block.below
    const resolved = this.flow.resolve(target)
    if (resolved) return resolved.first
    run.notes.push('The edge leads to a block or group that is gone.')
    return block.below
  }

  /** Enters another flow, which the block waits for. @returns where it begins; null when nothing does */
  private goInto(
    block: ProgramBlock,
    { flow, variables, groupId }: Outcome & { type: 'enters' },
    { journal, said, notes }: BlockRun,
    entryVariables: Variables,
  ): ProgramBlock | null {
    this.frames.push({ type: 'flow', ...this.place(block), variables: ownPart(entryVariables), journal, said })
    this.outerSeen.push(this.seen)
    this.seen = new Map()
    this.switchTo(flow, flow.variables)
    for (const [id, value] of Object.entries(variables)) {
      const note = Object.hasOwn(flow.variables, id)
        ? this.variables.set(id, value)
        : `The flow has no variable '${id}'; its value was not given.`
      if (note) notes.push(note)
    }
    const at = groupId === undefined ? null : flow.resolve({ groupId })
    if (at) return at.first
    if (groupId !== undefined) notes.push(`Group '${groupId}' of that flow is gone; it begins at its start.`)
    const start = flow.entry({ type: 'start' })
    if (!start) notes.push('Nothing starts that flow: it has no trigger that fits.')
    return start
  }

  /**
   * Goes to another part of the flow, which the block waits for; for good where nothing follows the block, so that a menu that is
   * gone to from everywhere does not grow the session.
   */
  private visit(
    block: ProgramBlock,
    first: ProgramBlock | null,
    { journal, said, notes }: BlockRun,
  ): ProgramBlock | null {
    if (!goesOnAfterVisit(block)) return first
    if (this.frames.filter(({ type }) => type === 'visit').length >= MAX_VISITS) {
      notes.push(`At most ${MAX_VISITS} parts of a flow wait for one another: this one was gone to for good.`)
      return first
    }
    this.frames.push({ type: 'visit', ...this.place(block), variables: null, journal, said })
    // a part that is gone to twice with the same values is no cycle
    this.outerSeen.push(this.seen)
    this.seen = new Map()
    return first
  }

  /** The present flow, part of it or interruption is over: takes up what it came before; null when there is nothing. */
  private comeBack(): Entry | null {
    for (let frame = this.frames.pop(); frame; frame = this.frames.pop()) {
      const left = ownPart(this.variables.present)
      const flow = this.program.flow(frame.flowId)
      const block = flow?.blocks.get(frame.blockId)
      if (frame.type === 'flow') {
        this.seen = this.outerSeen.pop() ?? new Map()
        this.switchTo(flow ?? this.program, frame.variables)
      } else if (frame.type === 'visit') {
        this.seen = this.outerSeen.pop() ?? new Map()
      } else {
        this.lastCutIn = null
        if (frame.variables) this.leaveOuter(flow ?? this.program, left, frame.variables)
      }
      if (!block) this.note(frame, 'The block to come back to is gone.')
      else if (frame.type === 'again') return { block }
      else {
        const answer: JournalEntry =
          frame.type === 'visit' ? { type: 'visit', result: true } : { type: 'enter', result: left }
        const journal: JournalEntry[] = [...frame.journal, answer]
        return { block, begun: { journal, said: frame.said, reply: null } }
      }
    }
    return null
  }

  /** Back from an intent of an outer flow: what it changed stays with that flow. */
  private leaveOuter(flow: FlowProgram, left: Record<string, Json>, variables: Variables): void {
    const level = this.frames.findLastIndex((frame) => frame.type === 'flow' && frame.flowId === this.flow.id)
    const outer = this.frames[level]
    if (outer?.type === 'flow') this.frames[level] = { ...outer, variables: left }
    this.seen = new Map()
    this.switchTo(flow, variables)
  }

  private switchTo(flow: FlowProgram, variables: Variables): void {
    const shared = systemPart(this.variables.present)
    this.flow = flow
    this.variables = new VariableStore({ ...variables, ...shared }, keptIn(this.frames))
  }

  private forgetSeen(): void {
    for (const seen of [this.seen, ...this.outerSeen]) seen.clear()
  }

  private place({ groupId, id }: ProgramBlock): { flowId: string | null; groupId: string; blockId: string } {
    return { flowId: this.flow.id, groupId, blockId: id }
  }

  private finish(end: Partial<Session> & Pick<Session, 'status'> & { stopped?: TurnResult['stopped'] }): TurnResult {
    const { stopped = null, ...session } = end
    this.transcript.write(this.variables)
    const variables = { ...this.variables.present }
    const goesOn = end.status !== 'ended'
    // a block that waits is run again from the values at its entry: what it said since is not to be said to nobody
    const said = pick(variables, TRANSCRIPT)
    return {
      session: {
        at: null,
        flowId: goesOn ? this.flow.id : null,
        variables,
        journal: [],
        said: 0,
        request: null,
        listen: null,
        cutIn: goesOn ? this.lastCutIn : null,
        frames: goesOn ? this.frames : [],
        entries: this.entries,
        ...(goesOn && this.open && { open: this.open }),
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

/** Whether anything follows a block that went elsewhere and came back. */
export function goesOnAfterVisit({ below, edges, runnable }: ProgramBlock): boolean {
  const jumps = runnable?.definition.jumps(runnable.data) ?? []
  return jumps.some(({ back }) => back !== undefined && (edges.has(back) || below !== null))
}

const pick = (variables: Variables, id: string): Record<string, Json> =>
  Object.hasOwn(variables, id) ? { [id]: variables[id] ?? null } : {}

const keptIn = (frames: readonly Frame[]): Variables[] =>
  frames.flatMap(({ variables }) => (variables === null ? [] : [variables]))
