import { Failure, runCode } from './javascript'

/** A file's object, whose fields may be anything. */
type Fields = { readonly [name: string]: unknown }
const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fields) : [])
const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** What the product keeps in a variable. */
type Value = string | (string | null)[] | null

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

export const NOW = '2026-11-21T10:00:00.000Z'
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
  /** blocks that were come to, and what happened that the products do not share */
  readonly visited: Block[] = []
  readonly features = new Set<string>()
  question: Question | null = null
  /** no question, and nothing follows */
  ended = false
  private readonly blocks = new Map<string, Block>()
  private readonly firsts = new Map<string, Block | undefined>()
  private readonly edges = new Map<string, Fields>()
  private readonly variables: { id: string; name: string; value: Value }[]
  /** where it goes on once the linked part is over, the innermost last */
  private readonly linked: Place[] = []
  private returnMark: Block | undefined
  private asking: Block | undefined
  private offered: { label: string; value: string; edge: string; title: string; image: string; description: string }[] =
    []

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
    this.variables = list(file.variables).map(({ id, name, value }) => ({
      id: text(id),
      name: text(name),
      value: Array.isArray(value) ? value.map(text) : typeof value === 'string' ? value : null,
    }))
    const start = [...list(file.events), ...this.blocks.values()].map((one) =>
      'fields' in one ? fields(one.fields) : one,
    )
    const event = start.find(({ type }) => type === 'start')
    this.run(this.led(event?.outgoingEdgeId))
  }

  values(): Value[] {
    return this.variables.map(({ value }) => value)
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
      this.said.push(retry === '' ? RETRY : this.fill(retry))
      return
    }
    this.asking = undefined
    this.question = null
    this.keep(text(options.variableId), taken.value, block)
    this.run(this.led(taken.edge) ?? this.led(block.fields.outgoingEdgeId) ?? block.below)
  }

  private keep(variableId: string, value: string, block: Block): void {
    if (block.type.startsWith('cards')) return
    const variable = this.variables.find(({ id }) => id === variableId)
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
          const variable = this.variables.find(({ id }) => id === variableId)
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
        this.set(options, block)
        return on
      case 'Condition': {
        const held = list(block.fields.items).find(({ content }) => this.holds(fields(content)))
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
        this.said.push(`[redirect] ${this.fill(text(options.url))}`)
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
    this.said.push(this.fill(rich ?? (html || text(content.plainText))))
  }

  private ask(block: Block): boolean {
    const options = fields(block.fields.options)
    const input = INPUTS[block.type] ?? ''
    this.offered = input === 'choice' ? this.offer(block) : []
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

  private offer({ type, fields: own }: Block): typeof this.offered {
    const options = fields(own.options)
    const plain = { edge: '', title: '', image: '', description: '' }
    const dynamic =
      fields(options.dynamicItems).isEnabled === true
        ? fields(options.dynamicItems).titlesVariableId
        : options.dynamicVariableId
    const variable = this.variables.find(({ id }) => id === dynamic)
    if (variable && variable.value !== null) {
      return [variable.value].flat().flatMap((label) => (label === null ? [] : [{ ...plain, label, value: label }]))
    }
    const items = list(own.items).filter(({ displayCondition, options: itemOptions }) => {
      const shown = fields(displayCondition ?? fields(itemOptions).displayCondition)
      return shown.isEnabled !== true || this.holds(fields(shown.condition))
    })
    if (type.startsWith('cards')) return items.flatMap((item) => this.cards(item, items.length === 1))
    return items.map((item) => {
      const label = this.fill(text(item.content ?? item.title))
      return {
        ...plain,
        label,
        value: item.value ? this.fill(text(item.value)) : label,
        edge: text(item.outgoingEdgeId),
      }
    })
  }

  /** A card, or as many as its lists have items where it is the only one. */
  private cards(item: Fields, alone: boolean): typeof this.offered {
    const parts = [item.title, item.description, item.imageUrl].map((part) => {
      const variable = this.alone(text(part))
      return Array.isArray(variable?.value) ? variable.value : this.fill(text(part))
    })
    const count = alone ? (parts.find((part) => Array.isArray(part))?.length ?? 1) : 1
    return Array.from({ length: count }, (_, at) => {
      const [title = '', description = '', image = ''] = parts.map(
        (part) => (Array.isArray(part) && alone ? part[at] : String(part)) ?? '',
      )
      return list(item.paths).map((path) => ({
        label: this.fill(text(path.text)),
        value: title,
        edge: text(path.outgoingEdgeId),
        title,
        image,
        description,
      }))
    }).flat()
  }

  private alone(part: string) {
    const name = /^\{\{([^{}]+)\}\}$/.exec(part)?.[1]
    return name === undefined ? undefined : this.variables.find((variable) => variable.name === name)
  }

  private holds({ comparisons, logicalOperator }: Fields): boolean {
    const all = list(comparisons)
    if (all.length === 0) return false
    const results = all.map((comparison) => this.compare(comparison))
    return logicalOperator === 'OR' ? results.some(Boolean) : results.every(Boolean)
  }

  private compare({ variableId, comparisonOperator, value: given }: Fields): boolean {
    if (!variableId || !comparisonOperator) return false
    const value = this.variables.find(({ id }) => id === variableId)?.value ?? null
    const wanted = text(given)
    const other: Value =
      wanted === 'undefined' || wanted === 'null' ? null : (this.alone(wanted)?.value ?? this.fill(wanted))
    const pairs = [value].flat().flatMap((a) => [other].flat().map((b): [string | null, string | null] => [a, b]))
    const all = (test: (a: string, b: string) => boolean, unset = false) =>
      pairs.every(([a, b]) => (a ? (b ? test(a, b) : unset) : unset))
    const some = (test: (a: string, b: string) => boolean) => pairs.some(([a, b]) => Boolean(a && b && test(a, b)))
    const low = (one: string) => one.toLowerCase().trim()
    switch (comparisonOperator) {
      case 'Equal to':
      case 'Not equal': {
        const [a, b] = [value, other].map((one) => (typeof one === 'string' ? low(one) : one))
        if (
          value !== other &&
          (a === b || (Number(value) === Number(other) && value !== null && other !== null) || (!value && !other))
        )
          this.features.add('nearly equal')
        if (Array.isArray(value)) this.features.add('list compared')
        return comparisonOperator === 'Equal to' ? pairs.every(([x, y]) => x === y) : pairs.every(([x, y]) => x !== y)
      }
      case 'Contains':
        if (Array.isArray(value)) return pairs.some(([a, b]) => a === b)
        return some((a, b) => low(a).includes(low(b)))
      case 'Does not contain':
        if (Array.isArray(value)) return pairs.every(([a, b]) => a !== b)
        return all((a, b) => !low(a).includes(low(b)), true)
      case 'Starts with':
        return all((a, b) => low(a).startsWith(low(b)))
      case 'Ends with':
        return all((a, b) => low(a).endsWith(low(b)))
      case 'Is set':
        return value !== null && value.length > 0
      case 'Is empty':
        return value === null || value.length === 0
      case 'Matches regex':
        return some((a, b) => new RegExp(b.replace(/^\/(.*)\/\w*$/, '$1')).test(a))
      case 'Does not match regex':
        return all((a, b) => !new RegExp(b.replace(/^\/(.*)\/\w*$/, '$1')).test(a))
      default: {
        if (value === null || other === null) return false
        const [a, b] = [this.measure(value, other), this.measure(other, value)]
        if (comparisonOperator === 'Greater than') return a > b
        if (comparisonOperator === 'Greater or equal to') return a >= b
        return comparisonOperator === 'Less than' ? a < b : a <= b
      }
    }
  }

  /** A list's length; a text's number, its time, or its length; beside a list a text's number alone. */
  private measure(one: string | (string | null)[], beside: unknown): number {
    if (Array.isArray(one)) return one.length
    const number = one.startsWith('+') ? Number.NaN : Number(one)
    if (Array.isArray(beside) || !Number.isNaN(number)) return number
    const time = Date.parse(one)
    if (Number.isNaN(time)) this.features.add('length of a text compared')
    return Number.isNaN(time) ? one.length : time
  }

  private set(options: Fields, block: Block): void {
    const variable = this.variables.find(({ id }) => id === options.variableId)
    if (!variable) return
    const value = variable.value
    switch (text(options.type) || 'Custom') {
      case 'Custom':
        variable.value = this.calculate(text(options.expressionToEvaluate))
        return
      case 'Empty':
        variable.value = null
        return
      case 'Now':
      case 'Today':
        variable.value = NOW
        return
      case 'Tomorrow':
        variable.value = new Date(Date.parse(NOW) + 86_400_000).toISOString()
        return
      case 'Yesterday':
        variable.value = new Date(Date.parse(NOW) - 86_400_000).toISOString()
        return
      case 'Moment of the day':
        variable.value = 'morning'
        return
      case 'Append value(s)': {
        const item = this.fill(text(options.item))
        if (typeof value === 'string') this.features.add('appended to a text')
        variable.value = value === null ? [item] : [...[value].flat(), item]
        return
      }
      case 'Pop':
      case 'Shift': {
        const isPop = options.type === 'Pop'
        const to = this.variables.find(({ id }) => id === options.saveItemInVariableId)
        if (!Array.isArray(value)) return
        if (to && value.length > 0) to.value = (isPop ? value.at(-1) : value[0]) ?? null
        variable.value = isPop ? value.slice(0, -1) : value.slice(1)
        return
      }
      case 'Map item with same index': {
        const { baseItemVariableId, baseListVariableId, targetListVariableId } = fields(options.mapListItemParams)
        const of = (wanted: unknown) => this.variables.find(({ id }) => id === wanted)?.value ?? null
        const [item, base, target] = [of(baseItemVariableId), of(baseListVariableId), of(targetListVariableId)]
        const at = Array.isArray(base) && typeof item === 'string' ? base.indexOf(item) : -1
        variable.value = (at >= 0 && Array.isArray(target) ? target[at] : null) ?? null
        return
      }
      default:
        this.features.add(`unpredictable ${block.type}`)
        variable.value = 'unpredictable'
    }
  }

  private calculate(expression: string): Value {
    if (expression === '') return null
    if (/^\{\{[^{}]+\}\}$/.test(expression)) return this.fill(expression) || null
    if (!Number.isNaN(Number(expression)) && /0[^.].+/.test(expression)) return expression
    const ids = new Map<string, unknown>()
    const code = expression.replace(/\{\{([^{}]+)\}\}/g, (_, name: string) => {
      const at = this.variables.findIndex((variable) => variable.name === name)
      if (at < 0) return ''
      ids.set(`variable${at}`, guessed(this.variables[at]?.value ?? undefined))
      return `variable${at}`
    })
    try {
      const result = runCode(code.includes('return ') ? code : `return ${code}`, ids, NOW)
      if (Number.isNaN(result) || [...ids.values()].includes(undefined)) this.features.add('code')
      return kept(result)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (error.message !== 'syntax') this.features.add('code')
      return this.fill(expression) || null
    }
  }

  /** A text with the values of its variables; a list as JSON, which nobody should see. */
  private fill(source: string): string {
    return source.replace(/\{\{([^{}]+)\}\}/g, (_, name: string) => {
      const value = this.variables.find((variable) => variable.name === name)?.value
      if (Array.isArray(value)) this.features.add('list printed')
      return value === null || value === undefined ? '' : typeof value === 'string' ? value : value.join(', ')
    })
  }
}

/** Said again where a block has no words of its own for it. */
export const RETRY = '[retry]'

function guessed(value: Value | undefined): unknown {
  if (typeof value !== 'string') return value
  if ((value.startsWith('0') && !value.startsWith('0.') && value.length > 1) || value.startsWith('+')) return value
  if (value === 'true' || value === 'false') return value === 'true'
  return value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value)
}

function kept(value: unknown): Value {
  if (value === null || value === undefined || value === '') return null
  if (Array.isArray(value)) return value.map((item) => printed(item))
  return printed(value)
}

const printed = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function lines(nodes: unknown): string {
  return list(nodes).map(line).join('\n')
}

function line(node: Fields): string {
  if (typeof node.text === 'string') return node.text
  const block =
    /^(ul|ol|li|lic|p)$/.test(text(node.type)) &&
    list(node.children).some(({ type }) => /^(ul|ol|li|lic|p)$/.test(text(type)))
  return list(node.children)
    .map(line)
    .join(block ? '\n' : '')
}
