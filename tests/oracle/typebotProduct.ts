import { type Choice, offer } from './typebotChoices'
import { holds } from './typebotComparisons'
import { type Fields, fields, lines, list, text } from './typebotFile'
import { setVariable } from './typebotValues'
import { TypebotVariables, type Value } from './typebotVariables'

/** What the visitor is asked, in a form that both products can be put into. */
export interface Question {
  input: string
  /** labels, of what is chosen from */
  options?: string[]
  multiple?: boolean
}

interface Block {
  id: string
  type: string
  group: string
  fields: Fields
  below: Block | undefined
}

interface Place {
  block: Block | undefined
}

/** More blocks than this without a question: it goes round for ever. */
const MOST_BLOCKS = 2_000

const INPUTS: Record<string, string> = {
  'text input': 'text',
  'number input': 'number',
  'email input': 'email',
  'phone number input': 'phone',
  'url input': 'url',
  'date input': 'date',
  'time input': 'date',
  'rating input': 'rating',
  'file input': 'file',
  'choice input': 'choice',
  'picture choice input': 'choice',
  'cards input': 'choice',
  cards: 'choice',
  'payment input': 'payment',
}
const BUBBLES = new Set(['text', 'image', 'video', 'audio', 'embed'])

/**
 * What Typebot (3.1.1) does with one of its files, told from its behaviour and apart from our importer: what it says, asks and keeps.
 * Nothing outside answers: requests, models and tables give nothing.
 */
export class TypebotProduct {
  readonly said: string[] = []
  /** blocks that were come to */
  readonly visited: Block[] = []
  question: Question | null = null
  /** no question, and nothing follows */
  ended = false
  private readonly blocks = new Map<string, Block>()
  private readonly firsts = new Map<string, Block | undefined>()
  private readonly edges = new Map<string, Fields>()
  private readonly variables: TypebotVariables
  /** where it goes on once the linked part is over, the innermost last */
  private readonly linked: Place[] = []
  private returnMark: Block | undefined
  private asking: Block | undefined
  private offered: Choice[] = []

  /** @param chance the one number in [0, 1) that is drawn */
  constructor(
    file: Fields,
    private readonly chance: number,
  ) {
    for (const group of list(file.groups).toReversed()) {
      let below: Block | undefined
      for (const own of list(group.blocks).toReversed()) {
        const block: Block = {
          id: text(own.id),
          type: text(own.type),
          group: text(group.title).trim(),
          fields: own,
          below,
        }
        this.blocks.set(block.id, block)
        below = block
      }
      this.firsts.set(text(group.id), below)
    }
    for (const edge of list(file.edges).toReversed()) this.edges.set(text(edge.id), edge)
    this.variables = new TypebotVariables(file)
    const start = [...list(file.events), ...this.blocks.values()].map((one) =>
      'fields' in one ? fields(one.fields) : one,
    )
    const event = start.find(({ type }) => type === 'start')
    this.run(this.led(event?.outgoingEdgeId))
  }

  /** what happened that the products do not share */
  get features(): Set<string> {
    return this.variables.features
  }

  values(): Value[] {
    return this.variables.all.map(({ value }) => value)
  }

  /** Gives an answer, as text; of a choice the labels. */
  answer(reply: string): void {
    const block = this.asking
    if (!block) throw new Error('Nothing was asked.')
    const options = fields(block.fields.options)
    const taken = this.read(block, reply)
    if (taken === null) {
      this.features.add('retry')
      const retry = text(options.retryMessageContent)
      this.said.push(retry === '' ? RETRY : this.variables.fill(retry))
      return
    }
    this.asking = undefined
    this.question = null
    this.keep(text(options.variableId), taken.value, block)
    this.run(this.led(taken.edge) ?? this.led(block.fields.outgoingEdgeId) ?? block.below)
  }

  private keep(variableId: string, value: string, block: Block): void {
    if (block.type.startsWith('cards')) return
    const variable = this.variables.of(variableId)
    if (!variable) return
    if (Array.isArray(variable.value)) this.features.add('answer to a list')
    variable.value = Array.isArray(variable.value) ? [...variable.value, value] : value
  }

  /** What becomes of an answer: what is kept, and the edge of an option. Null for one that is not valid. */
  private read({ type, fields: own }: Block, reply: string): { value: string; edge?: string } | null {
    const options = fields(own.options)
    switch (type) {
      case 'email input':
        if (reply !== reply.toLowerCase()) this.features.add('capital letters')
        return /^\S+@\S+\.\w{2,}$/.test(reply) ? { value: reply.toLowerCase() } : null
      case 'phone number input':
        return /^\+?[\d ]{7,}$/.test(reply) ? { value: reply.replaceAll(' ', '') } : null
      case 'url input':
        if (!/^(https?:\/\/)?[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(reply)) return null
        if (!reply.startsWith('http')) this.features.add('bare url')
        return { value: reply }
      case 'number input': {
        const [number, min, max] = [reply, options.min, options.max].map((given) => Number.parseFloat(text(given)))
        if (Number.isNaN(number) || (number ?? 0) < (min ?? 0) || (number ?? 0) > (max ?? 0)) return null
        if (reply.startsWith('0') && reply !== '0') this.features.add('leading zero')
        return { value: reply.startsWith('0') ? reply : String(number) }
      }
      case 'choice input':
      case 'picture choice input':
      case 'cards':
      case 'cards input': {
        if (options.isMultipleChoice === true) {
          const chosen = this.offered.filter(({ label }) => reply.split('|').includes(label))
          return chosen.length === 0 ? null : { value: chosen.map(({ value }) => value).join(', ') }
        }
        const chosen = this.offered.find(({ label }) => label === reply)
        if (!chosen) return null
        for (const { field, variableId } of list(options.saveResponseMapping)) {
          const variable = this.variables.of(variableId)
          const picked = {
            Title: chosen.title,
            Button: chosen.label,
            'Image URL': chosen.image,
            Description: chosen.description,
          }
          if (variable) variable.value = picked[text(field) as 'Title'] ?? null
        }
        return { value: chosen.value, edge: chosen.edge }
      }
      default:
        return { value: reply }
    }
  }

  private led(edgeId: unknown): Block | undefined {
    const to = fields(this.edges.get(text(edgeId))?.to)
    const block = this.blocks.get(text(to.blockId ?? to.stepId))
    return block ?? this.firsts.get(text(to.groupId))
  }

  /** From block to block, until something is asked or nothing follows. */
  private run(first: Block | undefined): void {
    let block = first
    for (let count = 0; count < MOST_BLOCKS; count++) {
      while (!block) {
        const place = this.linked.pop()
        if (!place) {
          this.ended = true
          return
        }
        block = place.block
      }
      this.visited.push(block)
      const next = this.enter(block)
      if (next === 'asks') return
      block = next.block
    }
    this.features.add('endless')
    this.ended = true
  }

  private enter(block: Block): Place | 'asks' {
    const options = fields(block.fields.options)
    const on: Place = { block: this.led(block.fields.outgoingEdgeId) ?? block.below }
    if (BUBBLES.has(block.type)) {
      this.say(block)
      // an edge of a bubble counts where it is the last of its group
      return { block: block.below ?? this.led(block.fields.outgoingEdgeId) }
    }
    if (block.type in INPUTS) return this.ask(block) ? 'asks' : on
    switch (block.type) {
      case 'Set variable':
        setVariable(this.variables, options)
        return on
      case 'Condition': {
        const held = list(block.fields.items).find(({ content }) => holds(this.variables, fields(content)))
        return held ? { block: this.led(held.outgoingEdgeId) ?? block.below } : on
      }
      case 'AB test': {
        const percent = options.aPercent === undefined ? 50 : Number(options.aPercent)
        const item = list(block.fields.items).find(({ path }) => path === (this.chance * 100 < percent ? 'a' : 'b'))
        return { block: this.led(item?.outgoingEdgeId) ?? block.below }
      }
      case 'Jump': {
        const target = this.blocks.get(text(options.blockId)) ?? this.firsts.get(text(options.groupId))
        if (options.groupId === undefined) return on
        if (on.block) this.returnMark = on.block
        return { block: target }
      }
      case 'Return': {
        const mark = this.returnMark
        this.returnMark = undefined
        return mark ? { block: mark } : on
      }
      case 'Typebot link': {
        const target = options.typebotId === 'current' ? this.firsts.get(text(options.groupId)) : undefined
        if (!target) return on
        if (on.block) this.linked.push(on)
        return { block: target }
      }
      case 'Redirect':
        this.said.push(`[redirect] ${this.variables.fill(text(options.url))}`)
        return on
      default:
        return on
    }
  }

  private say({ type, fields: own }: Block): void {
    const content = fields(own.content)
    if (type !== 'text') {
      this.said.push(`[${type}]`)
      return
    }
    const rich = Array.isArray(content.richText) ? lines(content.richText) : null
    const html = text(content.html)
      .replace(/<br\/?>|<\/(?:div|p)>/g, '\n')
      .replace(/<[^>]*>/g, '')
    this.said.push(this.variables.fill(rich ?? (html || text(content.plainText))))
  }

  private ask(block: Block): boolean {
    const options = fields(block.fields.options)
    const input = INPUTS[block.type] ?? ''
    this.offered = input === 'choice' ? offer(this.variables, block.type, block.fields) : []
    if (options.isMultipleChoice === true) this.features.add('several choices')
    if (options.dynamicVariableId && this.offered.length === 0) this.features.add('nothing to choose')
    this.question = {
      input,
      ...(input === 'choice' && {
        options: this.offered.map(({ label }) => label),
        multiple: options.isMultipleChoice === true,
      }),
    }
    this.asking = block
    return true
  }
}

/** Said again where a block has no words of its own for it. */
export const RETRY = '[retry]'
